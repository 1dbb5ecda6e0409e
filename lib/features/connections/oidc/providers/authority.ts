import { type Claims, getClaim } from '../get-claim.ts'

/** A condition on the claims of a sign-in. */
export type ClaimRule = (claims: Claims) => boolean

/**
 * For which addresses a provider vouches. A provider knows of most addresses only that somebody could read their email once: a former employee
 * still has an account there with the address of the company. So its word counts only for domains whose email it delivers itself, or whose
 * owner it knows. Any other address waits for a confirmation by a link.
 */
export interface Authority {
  /** What the claims must say, all of it. */
  readonly rules: readonly [ClaimRule, ...ClaimRule[]]
  /** The domains whose email the provider delivers, the claim that names one, or those that no provider delivers. */
  readonly domains: ReadonlySet<string> | { readonly claim: string } | 'undelivered'
}

export const isOneOf =
  (name: string, ...values: readonly unknown[]): ClaimRule =>
  (claims) =>
    values.includes(getClaim(claims, name))

export const isAnotherThan =
  (name: string, value: string): ClaimRule =>
  (claims) => {
    const stated = getClaim(claims, name)
    return typeof stated === 'string' && stated !== value
  }

export const isAbsentOrSame =
  (name: string, other: string): ClaimRule =>
  (claims) => {
    const stated = getClaim(claims, name)
    return stated === undefined || stated === getClaim(claims, other)
  }
