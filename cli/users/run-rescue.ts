import { randomUUID } from 'node:crypto'
import { hasAdminAccess, hasPermission, sortPermissions } from '../../lib/accounts/callers/permissions.ts'
import { buildCommandContext, type RequestContext } from '../../lib/accounts/callers/request-context.ts'
import { buildUnlockStep } from '../../lib/accounts/callers/throttle.ts'
import { auditStep } from '../../lib/accounts/events/write-event.ts'
import { findUserByName } from '../../lib/accounts/names/names.ts'
import {
  buildAdministratorNoticeStep,
  buildEndReportsChange,
} from '../../lib/accounts/outbox/security-notices.ts'
import { isActive } from '../../lib/accounts/users/account-state.ts'
import { adminAccess } from '../../lib/accounts/users/admins.records.ts'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { hasVerifiedEmail, isGuestUser } from '../../lib/accounts/users/guest-state.records.ts'
import type { UserChanges, UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { editUser, editUserEndingSessions } from '../../lib/accounts/users/write-users.records.ts'
import { buildAdminAccessSteps } from '../../lib/features/directory/rights/admin-access-steps.ts'
import { buildNewStart } from '../../lib/features/directory/rights/rights-limit.ts'
import { tryRemoveRevokedCredentials } from '../../lib/features/leaked-credentials/remove-revoked.ts'
import {
  buildDeletePasskeySteps,
  countRemovedPasskeys,
  findPasskeys,
} from '../../lib/features/passkeys/records.ts'
import { mintResetToken } from '../../lib/features/passwords/reset-tokens.ts'
import { exemptFromProvider } from '../../lib/features/sign-in/required-sign-in.ts'
import { resetTokenLifetimeMs } from '../../lib/kernel/limits/limits.ts'
import { retryConflicts } from '../../lib/kernel/table/retry-conflicts.ts'
import { EditConflict } from '../../lib/kernel/table/transaction.ts'
import { describeDuration } from '../../lib/kernel/util/time.ts'
import type { Services } from '../../lib/services.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { exitCodes } from '../exit-codes.ts'
import { quote } from '../program.ts'
import type { UsersCommand } from './command.ts'
import { openTarget } from './import-target.ts'

type RescueCommand = Extract<UsersCommand, { name: 'rescue' }>

/** Gives an account administration and prints a link that sets its password. Returns the exit code. */
export const runRescue = async ({
  account,
  table,
  url,
  resetsSecondFactor,
}: RescueCommand): Promise<number> => {
  const { services, close } = await openTarget({ table, publicUrl: url, whenNew: 'fail' })
  try {
    const user = await findAccount(services, account)
    const context = buildCommandContext(services.now(), `rescue-${randomUUID()}`)
    const rescue = await rescueUser(services, user.id, { removesSecondFactors: resetsSecondFactor }, context)
    process.stdout.write(describeRescue(services, user, rescue))
    return exitCodes.done
  } catch (error) {
    throw error instanceof GuestNotRescued ? createGuestFailure(account) : error
  } finally {
    await close()
  }
}

/** @throws CommandFailure if no account has the name, or a guest */
const findAccount = async ({ table }: Services, name: string): Promise<UserRecord> => {
  const user = await findUserByName(table, name)
  if (!user)
    throw new CommandFailure(
      `No account has the username ${quote(name)}, or that email address in a confirmed form.`,
    )
  if (isGuestUser(user)) throw createGuestFailure(name)
  return user
}

const createGuestFailure = (name: string): CommandFailure =>
  new CommandFailure(`${quote(name)} is a guest of an access link, who cannot be an administrator.`)

const describeRescue = ({ config }: Services, before: UserRecord, { user, resetToken }: Rescue): string => {
  const lines = [
    `${user.username} (ID ${user.id}) is an administrator and can sign in with a new password:`,
    '',
    `  ${config.publicUrl}/reset#token=${resetToken}`,
    '',
    `The link works once, for ${describeDuration(resetTokenLifetimeMs)}. Give it to no one else.`,
    describeEmail(user),
    describeSecondFactors(before, user),
  ]
  return `${lines.filter((line) => line !== undefined).join('\n')}\n`
}

const describeEmail = (user: UserRecord): string => {
  if (user.email === null)
    return 'The account has no email address. Add yours when the sign-in page asks for it, or at /account.'
  if (!hasVerifiedEmail(user))
    return `The email address ${user.email} is not confirmed. Confirm it when the sign-in page asks for it, or at /account.`
  return `Anyone who reads ${user.email} can reset the password. Change the address at /account if it is not yours.`
}

const describeSecondFactors = (before: UserRecord, user: UserRecord): string | undefined => {
  const count = user.passkeys?.count ?? 0
  const kept = [
    ...(user.totp ? ['the authenticator app'] : []),
    ...(count > 0 ? [count === 1 ? '1 passkey' : `${count} passkeys`] : []),
  ]
  if (kept.length > 0)
    return `Still in use: ${kept.join(' and ')}. If they are lost or not yours, repeat with --reset-second-factor.`
  return before.totp || (before.passkeys?.count ?? 0) > 0 ? 'The second factors were removed.' : undefined
}

/** The account of a link cannot be an administrator: people with the link reach it. */
class GuestNotRescued extends Error {}

interface Rescue {
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
    edited = await editUser(
      services.table,
      edited,
      { passkeys: countRemovedPasskeys(edited, [passkey]) },
      { extraSteps },
    )
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
    is_enabled: true,
    expiresAt: null,
    permissions,
    // Without a password, even users who may not change it have to choose one.
    passwordHash: null,
    password_change_required: true,
    // Someone else may have asked for another address.
    pendingEmail: undefined,
    emailConfirmation: undefined,
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
