import { getEffectivePermissions, isPrivileged } from '../../accounts/callers/permissions.ts'
import { buildUserExistsStep } from '../../accounts/users/build-user-step.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { AppError, conflict, notFound, requireFound } from '../../kernel/errors/errors.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import {
  buildSameOwnerStep,
  findCompanyAccounts,
  isCompanyAccountRevoked,
} from '../connections/accounts.records.ts'
import {
  buildBindingSteps,
  buildEditScimUserSteps,
  buildForgetFormerSteps,
  findScimUser,
  findScimUserOf,
  type KnownScimUser,
  type ScimUserRecord,
} from '../provisioning/users.records.ts'
import { findOwnerId } from './find-owner.ts'
import { auditScim, type ScimContext } from './scim-context.ts'
import { isScimId } from './scim-ids.ts'

/*
 * Who comes back with another name at the identity provider than before is a new person, until somebody says that it is the same one. The
 * connection signed in to the account before, so this gives nobody a way that they did not have.
 */

interface Assignment {
  readonly personId: string
  readonly userId: number
  /** Whether a manager of an organization says it, and no administrator. */
  readonly isByManager: boolean
}

type Assigning = Pick<ScimContext, 'services' | 'caller' | 'context'>

/**
 * Says whose account a person is. Repeating it changes nothing.
 *
 * @throws AppError `not_found`
 * @throws AppError `conflict` if the directory ended the person, or the person or the account is assigned otherwise
 * @throws AppError `permission_denied` if a manager names the account of somebody who decides about others
 */
export const assignPerson = (
  scim: Assigning,
  { personId, userId, isByManager }: Assignment,
): Promise<{ readonly person: ScimUserRecord; readonly user: UserRecord }> =>
  retryConflicts(async () => {
    const { services, caller } = scim
    const { table } = services
    const { id: connectionId } = caller.connection
    const person = requireFound(
      isScimId(personId) ? await findScimUser(table, connectionId, personId) : undefined,
      'person',
    )
    const user = requireFound(await findUser(table, userId), 'user')
    const identity = await findIdentity(scim, person, user, isByManager)
    if (isByManager && (await getEffectivePermissions(table, user)).some(isPrivileged))
      throw new AppError('permission_denied', {
        detail: 'Only an administrator of this service assigns this account.',
      })
    if (!person.isActive)
      throw conflict('The directory ended this person. It has to send them as active first.')
    const owner = await findOwnerId(scim, person)
    if (owner !== undefined && owner !== user.id)
      throw conflict('The person has another account. An administrator can merge the two.')
    const known = await findScimUserOf(table, connectionId, user.id)
    if (known && !known.isDeleted && known.person.id !== person.id)
      throw conflict('Another person of the directory is this account.')
    if (owner === user.id && person.assigned) return { person, user }
    const assigned = assign(person, { userId: user.id, identity }, known)
    await table.transact([
      ...buildEditScimUserSteps(person, assigned),
      ...buildBindingSteps(person, { userId: user.id, identity }, known?.person.id),
      ...(known?.isDeleted ? buildForgetFormerSteps(known.person) : []),
      ...buildUnchangedSteps(connectionId, user.id, identity),
      auditScim(scim, 'scim.user_assigned', person.id, user.id),
    ])
    return { person: { ...assigned, version: person.version + 1 }, user }
  }, 'The person kept changing. Send the request again.')

/**
 * Finds by which name the connection signed in to an account.
 *
 * @throws AppError `not_found` for managers, `conflict` for administrators, if it never did
 */
const findIdentity = async (
  { services: { table }, caller: { connection } }: Assigning,
  { identity }: ScimUserRecord,
  user: UserRecord,
  isByManager: boolean,
): Promise<string | undefined> => {
  const accounts = (await findCompanyAccounts(table, user)).filter(
    (account) => account.providerId === connection.id && !isCompanyAccountRevoked(account),
  )
  const found = accounts.find(({ hash }) => hash === identity) ?? accounts[0]
  if (found) return found.hash
  // Their owner or somebody here removed the account at the provider. No manager gives it back to their own connection.
  if (isByManager) throw notFound('user')
  if (user.directories?.includes(connection.id)) return undefined
  throw conflict('This connection never signed in to the account.')
}

/** The person with their account. What the directory deleted before is taken over. */
const assign = (
  person: ScimUserRecord,
  { userId, identity }: { readonly userId: number; readonly identity: string | undefined },
  known: KnownScimUser | undefined,
): ScimUserRecord => {
  const { madeUser, end } = known?.person ?? person
  return {
    ...person,
    userId,
    ...omitUndefined({ identity, madeUser }),
    assigned: end?.by === 'directory' && end.hasDisabledUser ? { hasDisabledUser: true } : {},
  }
}

/** Builds the steps that fail if the account was deleted, or its name at the identity provider removed, since it was read. */
const buildUnchangedSteps = (
  connectionId: number,
  userId: number,
  identity: string | undefined,
): readonly Step[] => [
  { ...buildUserExistsStep(userId), orElse: () => new EditConflict() },
  ...(identity === undefined ? [] : [buildSameOwnerStep(connectionId, identity, userId)]),
]
