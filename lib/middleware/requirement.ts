import { type OptionTypes, readLastArgument } from '../kernel/options/check-options.ts'
import { AccessError } from './access-error.ts'
import { hasPermission, type User } from './user.ts'

/**
 * What a route requires of its callers. Unknown and undefined fields are refused when the route is created, because they would
 * let everyone in.
 *
 * @example
 * ```ts
 * import type { Requirement } from '@latchkey/middleware'
 *
 * export const editors: Requirement = { permission: 'films:edit' }
 * ```
 */
export interface Requirement {
  /** The permission that the caller needs. An administrator has all permissions. */
  readonly permission?: string
  /**
   * The scope of your API that the access token needs, such as `films.read`. Sessions, API tokens and JWTs of `create_jwt` have
   * no scopes of APIs, so they are refused. A token without it gets a challenge that names it (RFC 6750 3.1).
   */
  readonly scope?: string
  /**
   * The class of the sign-in that the route needs, such as `urn:latchkey:acr:multi-factor`. A weaker one gets a challenge,
   * with which the client sends its user to sign in again (RFC 9470).
   */
  readonly acr?: string
  /** How long ago the user may have proved who they are. Longer ago gets the same challenge. */
  readonly maxAgeSeconds?: number
  /**
   * Asks the service about this request, for routes where a logout or a disabled user must count at once. With
   * `createMiddleware`, an answer is not used again. `createJwtMiddleware` needs the option `introspection` for it.
   */
  readonly asksService?: boolean
}

const requirementTypes: OptionTypes<Requirement> = {
  permission: 'string',
  scope: 'string',
  acr: 'string',
  maxAgeSeconds: 'number',
  asksService: 'boolean',
}

/**
 * Returns the requirement among the arguments of a method. Without one, every signed-in caller may pass.
 *
 * @throws TypeError for a misspelt field, and for what is undefined, such as a missing constant
 */
export const readRequirement = (given: readonly [requirement?: Requirement | undefined]): Requirement =>
  readLastArgument(given, requirementTypes, 'a requirement')

/** What a credential proves, besides who the user is. */
export interface Proof {
  readonly scopes: readonly string[]
  /** The class of the sign-in. Undefined if there was none. */
  readonly acr: unknown
  /** When the user proved who they are, in seconds. `NaN` if they did not. */
  readonly authenticatedAt: number
}

/** @throws AccessError for a caller who does not meet the requirement */
export const requireAccess = (
  user: Pick<User, 'permissions'>,
  { permission, scope, acr, maxAgeSeconds }: Requirement,
  proof: Proof,
  toleranceSeconds: number,
): void => {
  if (permission !== undefined && !hasPermission(user, permission))
    throw new AccessError('insufficientScope', { missing: `This requires the permission ${permission}.` })
  if (scope !== undefined && !proof.scopes.includes(scope))
    throw new AccessError('insufficientScope', {
      missing: `This requires an access token with the scope ${scope}. Clients get one with \`scope=${scope}\` in their request for a token.`,
      parameters: { scope },
    })
  // RFC 9470 3.
  const isWeak = acr !== undefined && proof.acr !== acr && proof.acr !== strongest
  const since = Date.now() / 1000 - proof.authenticatedAt
  const isOld = maxAgeSeconds !== undefined && !(since <= maxAgeSeconds + toleranceSeconds)
  if (isWeak || isOld)
    throw new AccessError('insufficientAuthentication', {
      parameters: { acr_values: acr, max_age: maxAgeSeconds },
    })
}

/** Enough for every route. */
const strongest = 'urn:latchkey:acr:multi-factor'
