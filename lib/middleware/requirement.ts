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
  /**
   * The permission that the caller needs. An administrator has all permissions. With `organization` or `role`, the roles there must
   * allow it instead.
   */
  readonly permission?: string
  /**
   * The organization that the caller acts in: `true` for any, the ID of one as a text, or `'optional'` for callers in one and in none. JWTs
   * state theirs. With `createMiddleware`, it is the one that the header `Latchkey-Organization` names, by its ID or slug, if the caller is a
   * member. Without `organization` and `role`, the header changes nothing, and JWTs that state an organization are refused: otherwise,
   * callers could choose whose permissions count. `user.organization` says where `permission` was found.
   */
  readonly organization?: true | 'optional' | (string & {})
  /** The role that the caller needs in their organization. Alone, it means `organization: true`. */
  readonly role?: string
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
  organization: 'any',
  role: 'string',
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
export const readRequirement = (given: readonly [requirement?: Requirement | undefined]): Requirement => {
  const requirement = readLastArgument(given, requirementTypes, 'a requirement')
  const { organization = true } = requirement
  // A slug can change, and a number would never be the same as the ID in a token.
  const isId = typeof organization === 'string' && /^[1-9]\d{0,9}$/.test(organization)
  if (organization !== true && organization !== 'optional' && !isId)
    throw new TypeError("organization must be true, 'optional', or the ID of an organization as a text.")
  if (organization === 'optional' && requirement.role !== undefined)
    throw new TypeError("A role is always one in an organization: leave out organization: 'optional'.")
  return requirement
}

/** The organization that a requirement needs: any, one by its ID, `optional`, or undefined if callers act in none. */
export const readOrganizationNeed = ({ organization, role }: Requirement): Requirement['organization'] =>
  organization ?? (role === undefined ? undefined : true)

/** The same for one that does not exist. */
export const createOrganizationRefusal = (cause?: unknown): AccessError =>
  new AccessError('noOrganization', { reason: 'organization_refused', cause })

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
  user: Pick<User, 'permissions' | 'organization'>,
  requirement: Requirement,
  proof: Proof,
  toleranceSeconds: number,
): void => {
  const { permission, role, scope, acr, maxAgeSeconds } = requirement
  const needed = readOrganizationNeed(requirement)
  const { organization } = user
  if (needed === undefined && organization)
    throw new AccessError('otherOrganization', { reason: 'organization_refused' })
  const isAnywhere = needed === undefined || needed === 'optional'
  if (!isAnywhere && (!organization || (needed !== true && organization.id !== needed)))
    throw createOrganizationRefusal()
  if (role !== undefined && !organization?.roles.includes(role))
    throw new AccessError('insufficientScope', {
      missing: `This requires the role ${role} in the organization.`,
    })
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
