import { randomUUID } from 'node:crypto'
import { findUserByName } from '../../lib/accounts/common/names.ts'
import type { RequestContext } from '../../lib/accounts/common/request-context.ts'
import { GuestNotRescued, type Rescue, rescueUser } from '../../lib/accounts/directory/rescue-user.ts'
import { resetTokenLifetimeMs } from '../../lib/limits/limits.ts'
import type { Services } from '../../lib/services.ts'
import { hasVerifiedEmail, isGuestUser } from '../../lib/store/directory/guest-state.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import { describeDuration } from '../../lib/util/time.ts'
import { CommandFailure, exitCodes } from '../command-failure.ts'
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
    const context: RequestContext = {
      address: 'command line',
      userAgent: '',
      requestId: `rescue-${randomUUID()}`,
      actor: null,
      at: services.now(),
    }
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
