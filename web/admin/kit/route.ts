import { useEffect, useState } from 'preact/hooks'

/** A place of the console. Its address is the fragment: `#/users/12?filter=ada`. */
export interface Route {
  /** The name of the section. Empty for the start of the console. */
  readonly section: string
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

export type Query = Readonly<Record<string, string | undefined>>

/** Returns the address of a place in the console, for links. Empty values are left out. */
export const toAddress = (
  section: string,
  path: readonly (string | number)[] = [],
  query: Query = {},
): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  const search = new URLSearchParams(given).toString()
  return `#/${[section, ...path].map(encodeURIComponent).join('/')}${search && `?${search}`}`
}

const parseRoute = (fragment: string): Route => {
  const [path = '', search = ''] = fragment.replace(/^#\/?/, '').split('?', 2)
  const [section = '', ...rest] = path.split('/').map(decodePart)
  return { section, path: rest, query: new URLSearchParams(search) }
}

const decodePart = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** What asks before a person leaves a place, such as a form with changes. Returns whether it did. */
type LeaveGuard = (leave: () => void) => boolean
let leaveGuard: LeaveGuard | undefined

/** Sets or removes the guard. The dialog of the guard calls `leave` if the person leaves anyway. */
export const setLeaveGuard = (guard: LeaveGuard | undefined): void => {
  leaveGuard = guard
}

/** Whether something would be lost by leaving. */
export const isGuarded = (): boolean => leaveGuard !== undefined

let current = parseRoute(location.hash)
let currentAddress = location.hash
let hasNavigated = false
const listeners = new Set<() => void>()

const update = (): void => {
  current = parseRoute(location.hash)
  currentAddress = location.hash
  for (const listener of listeners) listener()
}

const follow = (): void => {
  const target = location.hash
  if (target === currentAddress) return
  if (leaveGuard?.(() => leaveFor(target))) {
    // The form stays on display until the person decides, so the address does too.
    history.pushState(history.state, '', currentAddress || location.pathname)
    return
  }
  hasNavigated = true
  update()
}
addEventListener('hashchange', follow)

/** Opens a place of the console. */
export const navigate = (address: string): void => {
  location.hash = address
}

/** Opens a place after a form was saved, so there is nothing to ask. */
export const leaveFor = (address: string): void => {
  leaveGuard = undefined
  navigate(address)
}

/** Keeps the filters of a list in the address, so that links and the back button restore them. */
export const replaceQuery = (query: Query): void => {
  const { section, path } = current
  replaceAddress(toAddress(section, path, query))
}

/** Shows a place instead of the present one. */
const replaceAddress = (address: string): void => {
  history.replaceState(history.state, '', address)
  update()
}

/** Shows a place, unless the address names one by now. */
export const startAt = (address: string): void => {
  if (!parseRoute(location.hash).section) replaceAddress(address)
}

/** Whether the place on display was opened from another one, and not with the page. */
export const wasOpenedInside = (): boolean => hasNavigated

/** Returns where the person is. The component renders again when they go on. */
export const useRoute = (): Route => {
  const [route, setRoute] = useState(current)
  useEffect(() => {
    const listener = (): void => setRoute(current)
    listeners.add(listener)
    // The person may have moved on since the first rendering.
    listener()
    return () => {
      listeners.delete(listener)
    }
  }, [])
  return route
}
