/*
 * A model of a global table with eventual consistency in two regions. Each region has a copy of each item. A conditional
 * write checks the copy of its own region. Later, the item arrives in the other region as a whole, and the last write wins.
 */

export const regions = ['eu', 'us'] as const
export type Region = (typeof regions)[number]

export const otherThan = (region: Region): Region => (region === 'eu' ? 'us' : 'eu')

interface Version<Item> {
  readonly item: Item
  readonly writtenAt: number
}

interface Delivery<Item> extends Version<Item> {
  readonly key: string
  readonly to: Region
}

export interface Replicas<Item> {
  readonly get: (region: Region, key: string) => Item | undefined
  /** Writes in one region if its copy fulfills the condition, and returns whether it did. */
  readonly put: (
    region: Region,
    key: string,
    item: Item,
    condition: (copy: Item | undefined) => boolean,
  ) => boolean
  /** Delivers one of the writes on their way. Writes arrive in any order. Nothing arrives while regions are apart. */
  readonly deliver: (choice: number) => void
  readonly setConnected: (isConnected: boolean) => void
  readonly isConnected: () => boolean
}

export const createReplicas = <Item>(): Replicas<Item> => {
  const copies = { eu: new Map<string, Version<Item>>(), us: new Map<string, Version<Item>>() }
  const deliveries: Delivery<Item>[] = []
  let connected = true
  let clock = 0
  return {
    get: (region, key) => copies[region].get(key)?.item,
    put: (region, key, item, condition) => {
      if (!condition(copies[region].get(key)?.item)) return false
      const version = { item, writtenAt: ++clock }
      copies[region].set(key, version)
      deliveries.push({ ...version, key, to: otherThan(region) })
      return true
    },
    deliver: (choice) => {
      if (!connected || deliveries.length === 0) return
      for (const { key, to, ...version } of deliveries.splice(choice % deliveries.length, 1)) {
        const copy = copies[to].get(key)
        if (!copy || copy.writtenAt < version.writtenAt) copies[to].set(key, version)
      }
    },
    setConnected: (isConnected) => {
      connected = isConnected
    },
    isConnected: () => connected,
  }
}
