import { changeSteps } from '../../accounts/events/change-event.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { toUserChange } from '../../accounts/users/user-change.ts'
import { editUser } from '../../accounts/users/write-users.records.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import {
  buildBindingSteps,
  buildEditScimUserSteps,
  buildMatchStep,
  type ScimUserRecord,
} from '../provisioning/users.records.ts'
import {
  type AccountName,
  buildCompanyAccountSteps,
  buildRemoveCompanyAccountSteps,
  type CompanyAccountRecord,
  findCompanyAccounts,
  findOwnerOfHash,
  isCompanyAccountRevoked,
} from './accounts.records.ts'
import type { AnswerContext, ConnectionContext } from './connection-context.ts'
import { getConnectionTarget } from './connection-context.ts'
import { createNoAccountError } from './errors.ts'
import { toShownName } from './profile.ts'
import type { ProvenIdentity } from './proven-identity.records.ts'

/*
 * A person with another name at the identity provider than before is somebody new, until somebody here says whose account it is. Then their
 * next sign-in opens that account, once. From then on the new name leads to it, and the old one no longer does.
 */

interface Returning {
  readonly identity: ProvenIdentity
  readonly name: AccountName
  readonly deletedUserId: number | undefined
  /** The account, if the name leads to it already. */
  readonly account: CompanyAccountRecord | undefined
}

/** @throws AppError `permission_denied` if the account was deleted since */
export const requireAssignedUser = async (
  { services: { table }, provider }: ConnectionContext,
  { userId, identity }: ScimUserRecord,
): Promise<UserRecord> => {
  const owner = identity === undefined ? undefined : await findOwnerOfHash(table, provider.id, identity)
  const user = userId === undefined ? undefined : await findUser(table, owner ?? userId)
  if (!user) throw createNoAccountError(provider)
  return user
}

/**
 * Gives the account of a person their new name at the identity provider, and enables it if the directory had disabled it.
 *
 * @throws EditConflict if something changed in the meantime
 */
export const returnToAccount = async (
  signIn: AnswerContext,
  { identity, name, deletedUserId, account }: Returning,
): Promise<void> => {
  const { services, provider, context, directory, use } = signIn
  const { person, compared } = directory ?? {}
  if (!directory || !person?.assigned) throw new EditConflict()
  const user = await requireAssignedUser(signIn, person)
  const { assigned, ...rest } = person
  const enables = assigned.hasDisabledUser === true && !user.is_enabled
  const change = enables ? { is_enabled: true } : {}
  const former = account
    ? undefined
    : (await findCompanyAccounts(services.table, user)).find(
        (one) => one.providerId === provider.id && one.hash === person.identity,
      )
  // Somebody here ended it. Only its owner connects it again.
  if (former && isCompanyAccountRevoked(former)) throw createNoAccountError(provider)
  await use.reserve()
  const steps = account
    ? []
    : [
        ...(former ? buildRemoveCompanyAccountSteps(former) : []),
        ...buildCompanyAccountSteps(name, {
          userId: user.id,
          groups: former?.groups ?? [],
          ...omitUndefined({
            directoryGroups: former?.directoryGroups,
            directoryAttributes: former?.directoryAttributes,
            isLinkedByAddress: former?.isLinkedByAddress,
          }),
          deletedUserId,
          linkedAt: services.now(),
          shownName: toShownName(provider, identity),
          refreshToken: identity.refreshToken,
          orElse: () => new EditConflict(),
        }),
        ...buildBindingSteps(person, { userId: user.id, identity: directory.identity }),
        auditStep(context, 'company_account.linked', {
          user: user.id,
          target: getConnectionTarget(provider),
        }),
        ...buildSecurityNoticeStep(services, context, user, { kind: 'company_account_linked' }),
      ]
  await editUser(services.table, user, change, {
    extraSteps: [
      ...(enables
        ? changeSteps(context, 'user.changed', { user: user.id, change: toUserChange(user, change) })
        : []),
      ...steps,
      ...(compared
        ? [
            buildMatchStep(provider.id, compared.value, compared.seen, {
              userId: user.id,
              identity: directory.identity,
            }),
          ]
        : []),
      ...buildEditScimUserSteps(person, { ...rest, userId: user.id, identity: directory.identity }),
    ],
  })
}
