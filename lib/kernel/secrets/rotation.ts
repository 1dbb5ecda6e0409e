import { secretsPerHolder } from '../limits/limits.ts'
import { day } from '../util/time.ts'

/** How long the secret before works where configuration makes a new one, so that every instance of the product has read it by then. */
export const replacedMs = day

/** A secret as far as its replacement needs to know it. */
interface Replaceable {
  /** Epoch milliseconds. Null or missing until a newer secret replaces it. */
  readonly expiresAt?: number | null
}

/** What becomes of the secrets before a new one. */
export interface Replaced<Secret> {
  /** Those that go on working, the newest first, and until when. Null for as long as they are not replaced again. */
  readonly kept: readonly { readonly secret: Secret; readonly expiresAt: number | null }[]
  /** Those for which there is no more place. They would end before their time. */
  readonly dropped: readonly Secret[]
}

/**
 * Decides how long the secrets before a new one go on working. Each keeps the time that its own replacement gave it. So a repeated
 * replacement, whose first answer was lost, does not end the secret that the product runs with: nobody has seen the one in between. With
 * null for `keepMs`, they go on working.
 *
 * @example
 * replaceSecrets(former, { nowMs: now(), keepMs: day }).kept // [{ secret, expiresAt }]
 */
export const replaceSecrets = <Secret extends Replaceable>(
  former: readonly Secret[],
  { nowMs, keepMs }: { readonly nowMs: number; readonly keepMs: number | null },
): Replaced<Secret> => {
  // After a leak, nothing may be left.
  if (keepMs !== null && keepMs <= 0) return { kept: [], dropped: [] }
  const kept = former.map((secret) => ({
    secret,
    expiresAt: secret.expiresAt ?? (keepMs === null ? null : nowMs + keepMs),
  }))
  const places = secretsPerHolder - 1
  return { kept: kept.slice(0, places), dropped: kept.slice(places).map(({ secret }) => secret) }
}
