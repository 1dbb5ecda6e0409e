import type { Principal } from '../../accounts/callers/principal.ts'
import { AppError } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Services } from '../../services.ts'
import {
  isLimitedToOrganizations,
  isMembershipProven,
  isProvenFor,
} from '../sign-in/organization-sessions.ts'
import { findActiveMembership, withEffectiveRoles } from './access.ts'
import type { OrganizationMembership } from './memberships.records.ts'
import { findIdBySlug, type OrganizationRecord, readOrganizations } from './records.ts'
import { findLackingSignIn, type LackingSignIn } from './sign-in-rules.ts'
import { slugForm } from './text-rules.models.ts'

type Named = Readonly<Partial<Record<'organization' | 'organization_id', string | undefined>>>

/** The ID or the slug that a request names. */
export const readOrganizationName = ({ organization, organization_id: alias }: Named): string | undefined =>
  organization ?? alias

/** The session does not prove enough for an organization. `lacking` says what a member lacks. */
export interface UnprovenOrganization {
  readonly state: 'unproven'
  readonly lacking?: LackingSignIn
}

/** What a request names: an organization of the user, one that their session does not prove enough for, or none of theirs. */
export type NamedOrganization =
  | { readonly state: 'member'; readonly found: OrganizationMembership }
  | UnprovenOrganization
  | { readonly state: 'refused' }

/** Finds the organization that a request names, with the membership of its user. One that does not exist is refused alike. */
export const findNamedOrganization = async (
  { table, now }: Pick<Services, 'table' | 'now'>,
  principal: Pick<Principal, 'user' | 'session'>,
  parameters: Named,
): Promise<NamedOrganization> => {
  const { organization_id: alias } = parameters
  const named = readOrganizationName(parameters) ?? ''
  if (alias !== undefined && alias !== named) return { state: 'refused' }
  const organizationId = await readId(table, named)
  // Whether the user is a member there is nothing that such a session shows.
  if (!isProvenFor(principal, organizationId)) return { state: 'unproven' }
  const found = await findActiveMembership(table, { userId: principal.user.id, organizationId })
  if (!found || !isNamed(found.organization, named)) return { state: 'refused' }
  // A session of the organization from before a removal. A new sign-in counts again.
  if (!isMembershipProven(principal, found.membership))
    return { state: isLimitedToOrganizations(principal) ? 'unproven' : 'refused' }
  const lacking = findLackingSignIn(principal, found, now())
  return lacking ? { state: 'unproven', lacking } : { state: 'member', found }
}

/** Finds the active organization that a request without a user names. */
export const findNamedActive = async (
  table: Table,
  parameters: Named,
): Promise<OrganizationRecord | undefined> => {
  const { organization_id: alias } = parameters
  const named = readOrganizationName(parameters) ?? ''
  if (alias !== undefined && alias !== named) return undefined
  const [found] = await readOrganizations(table, [(await readId(table, named)) ?? noOrganization])
  return found?.state === 'active' && isNamed(found, named) ? found : undefined
}

/** No organization has this ID, so a look-up costs the same. */
const noOrganization = 0

/** Whether a text is the ID or the slug of an organization. A former slug is neither. */
export const isNamed = ({ id, slug }: Pick<OrganizationRecord, 'id' | 'slug'>, named: string): boolean =>
  named === String(id) || named === slug

const isId = (named: string): boolean => /^[1-9]\d{0,9}$/.test(named)

/** No slug is an ID, because a slug begins with a letter. */
const readId = async (table: Table, named: string): Promise<number | undefined> => {
  if (isId(named)) return Number(named)
  return slugForm.test(named) ? findIdBySlug(table, named) : undefined
}

/**
 * The caller in the organization that the header of a request names, with what they may do there. Undefined if they are no member, it
 * does not exist or is suspended, or the session does not count there or is not what it requires: these look the same. An access link proves possession of the
 * link, and not who has it.
 */
export const enterNamedOrganization = async (
  services: Pick<Services, 'table' | 'now'>,
  principal: Principal,
  named: string,
): Promise<(Principal & { readonly organization: OrganizationMembership }) | undefined> => {
  if (principal.session?.accessLink) return undefined
  const result = await findNamedOrganization(services, principal, { organization: named })
  return result.state === 'member'
    ? { ...principal, organization: withEffectiveRoles(principal, result.found) }
    : undefined
}

export const createOrganizationRefusal = (): AppError =>
  new AppError('permission_denied', {
    reason: 'organization_refused',
    detail:
      'You are no member of the organization that the request names, it does not exist, or it requires another sign-in.',
    tryAgain: null,
  })
