import { getEffectivePermissions, isPrivileged } from '../../accounts/callers/permissions.ts'
import { isLastAdmin } from '../../accounts/users/admins.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { findMembership, type Membership, ownerRole } from '../organizations/memberships.records.ts'
import { readCounts } from '../organizations/records.ts'
import type { ScimUserRecord } from '../provisioning/users.records.ts'
import { findOtherWays } from './other-ways.ts'
import type { ScimContext } from './scim-context.ts'
import { ScimError } from './scim-error.ts'

/* What ends when a person leaves the directory. Previews show it, and the end of a person carries it out. */

export const createLastOwnerError = (): ScimError =>
  new ScimError(
    409,
    undefined,
    'This person is the last owner of the organization. Their sign-in and sessions have ended, and their membership stays until an owner or an administrator of the service makes somebody else an owner. Then send the request again.',
  )

export const createLastAdminError = (): ScimError =>
  new ScimError(
    409,
    undefined,
    'This person is the last administrator of the service. Somebody has to make another one first.',
  )

/** What ends in the service. Undefined if the account stays as it is, and only the sessions of the connection end. */
export interface ServiceEnd {
  readonly endsPassword: boolean
  readonly disables: boolean
}

/** Plans the end in the service. The directory made nobody who decides about others, unless it made the account. */
export const planServiceEnd = async (
  { services: { table }, caller: { connection } }: ScimContext,
  person: Pick<ScimUserRecord, 'madeUser'>,
  user: UserRecord,
): Promise<ServiceEnd | undefined> => {
  const isMade = person.madeUser === true
  if (!isMade && (await getEffectivePermissions(table, user)).some(isPrivileged)) return undefined
  const ways = await findOtherWays(table, connection.id, user)
  return { endsPassword: ways !== 'own', disables: isMade && ways === 'none' && user.is_enabled }
}

/** Whether the end is refused because the account is the last administrator. The write decides if others leave at the same time. */
export const isRefusedAsLastAdmin = async (
  { services: { table } }: ScimContext,
  { disables }: ServiceEnd,
  user: UserRecord,
): Promise<boolean> => disables && (await isLastAdmin(table, user))

/** The membership that ends, and whether it stays because nobody else is an owner. The write decides here as well. */
export const planMembershipEnd = async (
  { services: { table } }: ScimContext,
  userId: number,
  organizationId: number,
): Promise<{ readonly membership: Membership; readonly isLastOwner: boolean } | undefined> => {
  const membership = await findMembership(table, { userId, organizationId })
  if (!membership) return undefined
  const [counts] = membership.roles.includes(ownerRole) ? await readCounts(table, [organizationId]) : []
  return { membership, isLastOwner: counts !== undefined && counts.owners <= 1 }
}
