import { noEmailState } from '../../accounts/names/email-confirmations.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { addressSteps } from '../../accounts/users/address-event.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { editUser } from '../../accounts/users/write-users.records.ts'
import type { AnswerContext } from './connection-context.ts'

/** An address that one account has, and that belongs to somebody else by now. */
export interface ReleasedAddress {
  readonly user: UserRecord
  /** Whether another account claims the address, too. */
  readonly isClaimed: boolean
}

/**
 * Takes the address from an account that has it only by the word of a public provider, because the company signs somebody else in with
 * it. The account stays as it is otherwise. Its person gets an email there, if they can still read it.
 *
 * @throws EditConflict if the account was changed since it was read
 */
export const releaseAddress = async (
  { services, context }: AnswerContext,
  { user }: ReleasedAddress,
): Promise<void> => {
  const address = { email: null, normalizedEmail: null }
  await editUser(
    services.table,
    user,
    { ...address, ...noEmailState, emailConfirmation: undefined },
    {
      extraSteps: [
        ...addressSteps(context, 'email.claim_ended', { before: user, after: address }),
        ...buildSecurityNoticeStep(services, context, user, { kind: 'email_moved' }),
      ],
    },
  )
}
