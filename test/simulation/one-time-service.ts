import { createReplicas, type Region } from './replicas.ts'

/** A one-time item: a ticket, a code, a reset link. The region that issued it stays its home. */
interface OneTimeItem {
  readonly homeRegion: Region
  readonly isUsed: boolean
}

/** How a service decides in which region an item is used. */
export interface HomeRule {
  /** Returns the region that uses an item. `active` is the region that serves requests since the last failover. */
  readonly findHome: (issuedIn: Region, active: Region, request: Region) => Region
}

export const rules = {
  /** Each region uses items in its own copy. */
  anyRegion: { findHome: (_issuedIn, _active, request) => request },
  /** The active region uses all items. After a failover, that is the other one. */
  activeRegion: { findHome: (_issuedIn, active) => active },
  /** The region that issued an item uses it, also after a failover. */
  issuingRegion: { findHome: (issuedIn) => issuedIn },
} as const satisfies Record<string, HomeRule>

export type Outcome = 'accepted' | 'refused' | 'unavailable'

export interface OneTimeService {
  readonly issue: (key: string, region: Region) => void
  /** Uses an item. The credential contains its region, so that any region can forward the request. */
  readonly use: (key: string, request: Region) => Outcome
  readonly failOver: (to: Region) => void
  readonly deliver: (choice: number) => void
  readonly setConnected: (isConnected: boolean) => void
  /** How often each item was accepted. */
  readonly uses: ReadonlyMap<string, number>
}

/** A service in two regions whose items follow a rule. */
export const createOneTimeService = ({ findHome }: HomeRule): OneTimeService => {
  const replicas = createReplicas<OneTimeItem>()
  const issued = new Map<string, Region>()
  const uses = new Map<string, number>()
  let active: Region = 'eu'
  return {
    issue: (key, region) => {
      if (issued.has(key)) return
      issued.set(key, region)
      replicas.put(region, key, { homeRegion: region, isUsed: false }, (copy) => copy === undefined)
    },
    use: (key, request) => {
      const issuedIn = issued.get(key)
      if (!issuedIn) return 'refused'
      const home = findHome(issuedIn, active, request)
      if (home !== request && !replicas.isConnected()) return 'unavailable'
      const used = { homeRegion: issuedIn, isUsed: true }
      if (!replicas.put(home, key, used, (copy) => copy?.isUsed === false)) return 'refused'
      uses.set(key, (uses.get(key) ?? 0) + 1)
      return 'accepted'
    },
    failOver: (to) => {
      active = to
    },
    deliver: replicas.deliver,
    setConnected: replicas.setConnected,
    uses,
  }
}
