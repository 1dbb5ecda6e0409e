import type { SessionPrincipal } from '../../accounts/callers/principal.ts'
import { readEntryPages } from '../../kernel/table/listing.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Services } from '../../services.ts'
import {
  getMembershipsListing,
  type Membership,
  readMembershipEntry,
} from '../organizations/memberships.records.ts'
import {
  findNamedOrganization,
  readOrganizationName,
  type UnprovenOrganization,
} from '../organizations/named-organization.ts'
import { type OrganizationRecord, readOrganizations } from '../organizations/records.ts'
import { findLackingSignIn } from '../organizations/sign-in-rules.ts'
import { isMembershipProven, isProvenFor } from '../sign-in/organization-sessions.ts'
import { type ClientRecord, getsOrganizations } from './clients.records.ts'

/**
 * - `none`: the client asks for none, or the user is in none
 * - `settled`: the request names one that the user is in, or the user is in no other one
 * - `open`: the user has to choose
 * - `unproven`: the session does not prove enough for what the client asks for, so the user signs in again. `lacking` says how, if the
 *   organization decides it
 * - `refused`: the user is not in the organization of the request. One that does not exist is the same.
 * - `missing`: the client requires one, and the user is in none
 */
export type OrganizationChoice =
  | { readonly state: 'none' | 'refused' | 'missing' }
  | UnprovenOrganization
  | ({ readonly state: 'settled' } & MemberOf)
  | { readonly state: 'open'; readonly organizations: readonly OrganizationRecord[] }

interface MemberOf {
  readonly organization: OrganizationRecord
  readonly membership: Membership
}

/** Whether a client gets the only organization of its users, or has them choose one. `always`: a user without one gets no tokens. */
export type OrganizationNeed = 'if_any' | 'always' | undefined

export const readOrganizationNeed = (
  client: Pick<ClientRecord, 'scopes' | 'organizations'>,
  { scope = '' }: Readonly<Record<string, string>>,
): OrganizationNeed => {
  if (client.organizations === 'required') return 'always'
  return getsOrganizations(client) && scope.split(' ').includes('organization') ? 'if_any' : undefined
}

/** Organizations that the page offers. A client names others itself. */
const mostOffered = 100

/** Finds the organization that the tokens of an authorization are for. Takes no table call if the client asks for none. */
export const findOrganizationChoice = async (
  services: Pick<Services, 'table' | 'now'>,
  principal: Pick<SessionPrincipal, 'user' | 'session'>,
  parameters: Readonly<Record<string, string>>,
  need: OrganizationNeed,
): Promise<OrganizationChoice> => {
  if (readOrganizationName(parameters) !== undefined) {
    const named = await findNamedOrganization(services, principal, parameters)
    if (named.state !== 'member') return named
    const { organization, membership } = named.found
    return { state: 'settled', organization, membership }
  }
  const accepted = need === 'always' ? 'missing' : 'none'
  const withoutOne = { state: isProvenFor(principal, undefined) ? accepted : 'unproven' } as const
  if (!need) return withoutOne
  const found = await listActive(services.table, principal)
  const [only, another] = found
  if (!only) return withoutOne
  if (another) return { state: 'open', organizations: found.map(({ organization }) => organization) }
  const lacking = findLackingSignIn(principal, only, services.now())
  return lacking ? { state: 'unproven', lacking } : { state: 'settled', ...only }
}

/** The organizations of a user that give tokens in this session, in the order of their names. */
const listActive = async (
  table: Table,
  principal: Pick<SessionPrincipal, 'user' | 'session'>,
): Promise<readonly MemberOf[]> => {
  const active: MemberOf[] = []
  for await (const entries of readEntryPages(table, getMembershipsListing(principal.user.id), mostOffered)) {
    const proven = entries
      .map(readMembershipEntry)
      .filter((membership) => isMembershipProven(principal, membership))
    const found = await readOrganizations(
      table,
      proven.map(({ organizationId }) => organizationId),
    )
    active.push(
      ...proven.flatMap((membership, at) => {
        const organization = found[at]
        return organization?.state === 'active' ? [{ organization, membership }] : []
      }),
    )
    if (active.length >= mostOffered) break
  }
  return active
    .slice(0, mostOffered)
    .sort(({ organization: a }, { organization: b }) => a.name.localeCompare(b.name) || a.id - b.id)
}
