import type { Services } from '../../services.ts'
import { adminAccess } from '../../store/directory/admins.ts'
import { isGuestUser } from '../../store/directory/guest-state.ts'
import type { UserChanges, UserRecord } from '../../store/directory/user-record.ts'
import { editUser, editUserEndingSessions, findUser } from '../../store/directory/users.ts'
import { EditConflict } from '../../store/engine/transaction.ts'
import { buildDeletePasskeySteps, countRemovedPasskey, findPasskeys } from '../../store/sign-in/passkeys.ts'
import { isActive } from '../common/account-state.ts'
import { buildAdministratorNoticeStep, buildEndReportsChange } from '../common/notices.ts'
import { hasAdminAccess, hasPermission, sortPermissions } from '../common/permissions.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { retryConflicts } from '../common/retry-conflicts.ts'
import { buildUnlockStep } from '../common/throttle.ts'
import { mintResetToken } from '../passwords/reset-tokens.ts'
import { tryRemoveRevokedCredentials } from '../security-reports/remove-revoked.ts'
import { exemptFromProvider } from '../sign-in/required-sign-in.ts'
import { buildAdminAccessSteps } from './admin-access-steps.ts'
import { buildNewStart } from './rights-limit.ts'

/** The account of a link cannot be an administrator: people with the link reach it. */
export class GuestNotRescued extends Error {}

export interface Rescue {
  readonly user: UserRecord
  /** The value of a link that sets a new password, once. */
  readonly resetToken: string
}

const stillChanging = 'The account kept changing. Run the same command again.'

/**
 * Makes an account an administrator who can sign in with a new password again. Its sessions, its password
 * and its earlier links end, because others may know them. API tokens end unless the account was an active administrator.
 * The second factors stay, unless they are to be removed.
 *
 * Each transaction leaves the account in a state from which the same call succeeds.
 *
 * @throws GuestNotRescued
 */
export const rescueUser = async (
  services: Services,
  id: number,
  { removesSecondFactors }: { readonly removesSecondFactors: boolean },
  context: RequestContext,
): Promise<Rescue> => {
  const rescued = await retryConflicts(async () => {
    const user = await readAccount(services, id)
    // A passkey that is added after this is an edit, so the transaction below fails.
    return restoreAccess(
      services,
      removesSecondFactors ? await removePasskeys(services, user, context) : user,
      { removesTotp: removesSecondFactors },
      context,
    )
  }, stillChanging)
  await tryRemoveRevokedCredentials(services, rescued, context)
  await retryConflicts(() => exemptFromProvider(services, rescued, context), stillChanging)
  // Another link may be requested at the same time. The one that is made last works.
  return retryConflicts(async () => {
    const user = await readAccount(services, id)
    const { value, steps } = mintResetToken(services, user)
    const audit = auditStep(context, 'password.reset_link_made', { user: user.id })
    await services.table.transact([...steps, audit])
    return { user, resetToken: value }
  }, stillChanging)
}

const readAccount = async ({ table }: Services, id: number): Promise<UserRecord> => {
  const user = await findUser(table, id)
  if (!user || isGuestUser(user)) throw new GuestNotRescued()
  return user
}

const removePasskeys = async (
  services: Services,
  user: UserRecord,
  context: RequestContext,
): Promise<UserRecord> => {
  let edited = user
  for (const passkey of await findPasskeys(services.table, user.id)) {
    const extraSteps = [
      ...buildDeletePasskeySteps(passkey, () => new EditConflict()),
      auditStep(context, 'passkey.removed', { user: user.id, target: String(passkey.id) }),
    ]
    edited = await editUser(services.table, edited, { passkeys: countRemovedPasskey(edited) }, { extraSteps })
  }
  return edited
}

const restoreAccess = async (
  services: Services,
  user: UserRecord,
  { removesTotp }: { readonly removesTotp: boolean },
  context: RequestContext,
): Promise<UserRecord> => {
  const { table, now } = services
  const wasAdministrator = isActive(user, now()) && (await hasPermission(table, user, adminAccess))
  const permissions = sortPermissions([...user.permissions, adminAccess])
  const { totp: _, ...newStart }: UserChanges = user.rightsLimit
    ? buildNewStart(services, user, user.rightsLimit)
    : {}
  const changes: UserChanges = {
    ...newStart,
    ...buildEndReportsChange(services),
    ...{ isEnabled: true, expiresAt: null, permissions },
    // Without a password, even users who may not change it have to choose one.
    ...{ passwordHash: null, passwordChangeRequired: true },
    // Someone else may have asked for another address.
    ...{ pendingEmail: undefined, emailConfirmation: undefined },
    ...(wasAdministrator ? {} : { apiTokensEndedAt: now() }),
    ...(removesTotp ? { totp: null } : {}),
  }
  // The email address may be that of a thief, so it gets no link that undoes this.
  return editUserEndingSessions(table, user, changes, {
    extraSteps: [
      auditStep(context, 'user.rescued', { user: user.id }),
      ...buildAdminAccessSteps(context, user.permissions, permissions, {
        user: user.id,
        name: user.username,
      }),
      ...(hasAdminAccess(user.permissions)
        ? [buildAdministratorNoticeStep(context, 'administrator_sign_in_set', user.username)]
        : []),
      ...(removesTotp && user.totp ? [auditStep(context, 'totp.disabled', { user: user.id })] : []),
      buildUnlockStep(services, user),
    ],
  })
}
