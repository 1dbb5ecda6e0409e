/** Where a value is kept: in this tab, also while it shows other sites, or in all tabs of the browser. */
type Place = 'tab' | 'browser'

interface KeptValue {
  readonly value: string
  /** Epoch milliseconds. */
  readonly until: number
}

/** Browsers can block storage. The pages work without kept values. */
const useStorage = <Result>(place: Place, use: (storage: Storage) => Result): Result | undefined => {
  try {
    return use(place === 'tab' ? sessionStorage : localStorage)
  } catch {
    return undefined
  }
}

/** Keeps a value for a page of this service that is shown later. Only pages of this service can write and read it. */
export const keepValue = (place: Place, name: string, value: string, lifetimeMs: number): void => {
  const kept: KeptValue = { value, until: Date.now() + lifetimeMs }
  useStorage(place, (storage) => storage.setItem(name, JSON.stringify(kept)))
}

export const readKeptValue = (place: Place, name: string): string | undefined =>
  useStorage(place, (storage) => {
    const kept: KeptValue = JSON.parse(storage.getItem(name) ?? '{}')
    return kept.until > Date.now() ? kept.value : undefined
  })

export const forgetValue = (place: Place, name: string): void => {
  useStorage(place, (storage) => storage.removeItem(name))
}

const name = 'setup-target'
/** As long as a session for the setup of a second factor. */
const lifetimeMs = 30 * 60_000

/** Keeps in this tab where the person wanted to go, while they set up a second factor. Undefined forgets an earlier target. */
export const keepSetupTarget = (address: string | undefined): void =>
  address === undefined ? forgetValue('tab', name) : keepValue('tab', name, address, lifetimeMs)

/** Returns where the person wanted to go, once. */
export const takeSetupTarget = (): string | undefined => {
  const address = readKeptValue('tab', name)
  forgetValue('tab', name)
  return address
}

const shortcutsName = 'list-shortcuts'
const shortcutsMs = 400 * 24 * 60 * 60_000

/** Whether single keys work. Speech input and unsteady hands press keys by accident, so a person can turn them off. */
export const areShortcutsOn = (): boolean => readKeptValue('browser', shortcutsName) !== 'off'

export const setShortcuts = (areOn: boolean): void =>
  keepValue('browser', shortcutsName, areOn ? 'on' : 'off', shortcutsMs)
