import { day, hour, minute } from '../util/time.ts'

/** How long sessions last, in milliseconds. */
export interface SessionLifetime {
  /** After the sign-in. */
  readonly lifetimeMs: number
  /** After the last use. */
  readonly idleMs: number
}

export interface SessionLifetimes {
  readonly users: SessionLifetime
  /** At most that of users. */
  readonly administrators: SessionLifetime
}

/** Unless the configuration sets another one. */
export const defaultSessionLifetime: SessionLifetime = { lifetimeMs: 14 * day, idleMs: 24 * hour }
/** The same as a setting. */
export const defaultSessionLifetimes = `users=${defaultSessionLifetime.lifetimeMs / 1000}/${defaultSessionLifetime.idleMs / 1000}`
/** The last use is only stored with a precision of some minutes. */
const shortestMs = 10 * minute
const longestMs = 30 * day

/**
 * Reads a list such as `users=1209600/86400, administrators=86400/3600`: seconds after the sign-in, and after the last
 * use. Administrators have the lifetime of users unless the list names them. Returns an error text, to be put after the
 * name of the setting, if the list is invalid.
 */
export const readSessionLifetimes = (text: string): SessionLifetimes | string => {
  const given: { users?: SessionLifetime; administrators?: SessionLifetime } = {}
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue
    const [, kind, lifetime, idle] = /^(users|administrators)=(\d{1,9})\/(\d{1,9})$/.exec(entry) ?? []
    if (kind !== 'users' && kind !== 'administrators')
      return 'must be a list such as users=1209600/86400, administrators=86400/3600'
    const [lifetimeMs, idleMs] = [Number(lifetime) * 1000, Number(idle) * 1000]
    if (idleMs < shortestMs || lifetimeMs < idleMs || lifetimeMs > longestMs)
      return `must set ${kind} to at least ${shortestMs / 1000} idle seconds and at most ${longestMs / 1000} seconds`
    given[kind] = { lifetimeMs, idleMs }
  }
  const { users = defaultSessionLifetime, administrators = users } = given
  return {
    users,
    administrators: {
      lifetimeMs: Math.min(users.lifetimeMs, administrators.lifetimeMs),
      idleMs: Math.min(users.idleMs, administrators.idleMs),
    },
  }
}
