import { findUserByName } from '../../lib/accounts/common/find-user-by-name.ts'
import { isSuppressed, parseMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { tryRefund } from '../../lib/accounts/common/throttle.ts'
import { canUseEmailCode } from '../../lib/accounts/email-codes/email-codes.ts'
import { emailCodeLifetimeMs } from '../../lib/limits/limits.ts'
import { renderSignInCodeEmail } from '../../lib/mail/sign-in-code-email.ts'
import { hashEmailCode, mintEmailCode } from '../../lib/secrets/email-codes.ts'
import type { Services } from '../../lib/services.ts'
import { EditConflict } from '../../lib/store/engine/transaction.ts'
import type { MailJob } from '../../lib/store/mail/mail-job.ts'
import { buildHeldEntryStep, type OutboxEntry } from '../../lib/store/mail/outbox.ts'
import { buildSetCodeStep } from '../../lib/store/sign-in/email-codes.ts'
import { consumeRequested } from './consume-requested.ts'
import type { PreparedEmail } from './prepared-email.ts'
import { writeEmail } from './write-email.ts'

/**
 * Creates the code of a request and its email. Returns undefined without a recipient: no such account, an exhausted
 * rate limit, a suppressed address, or a request that has expired. The requester does not learn this.
 *
 * @throws EntryLost
 */
export const prepareSignInCodeEmail = async (
  services: Services,
  entry: OutboxEntry,
  { name, requestHash, salt }: Extract<MailJob, { kind: 'sign_in_code' }>,
): Promise<PreparedEmail | undefined> => {
  const { table, now, log } = services
  const user = await findUserByName(table, name)
  if (!user || !canUseEmailCode(user, now())) return undefined
  const address = parseMailAddress(user.email)
  const isWithheld = !address || (await isSuppressed(services, address))
  const refund = isWithheld
    ? undefined
    : await consumeRequested(services, user, entry, {
        perRequester: 'emailCodesPerRequester',
        perAccount: 'emailCodesPerAccount',
      })
  if (!refund || !address) {
    log.warn('mail.withheld', { request_id: entry.requestId, kind: 'sign_in_code', user: user.id })
    return undefined
  }
  const value = mintEmailCode()
  const { id: userId, credentialEpoch, normalizedEmail } = user
  const code = { codeHash: hashEmailCode(salt, value) ?? '', userId, credentialEpoch, normalizedEmail }
  try {
    const email = await writeEmail(services, entry, { to: address.address, user }, (envelope) =>
      renderSignInCodeEmail(envelope, {
        username: user.username,
        code: value,
        address: entry.address,
        lifetimeMs: emailCodeLifetimeMs,
      }),
    )
    await table.transact([
      buildHeldEntryStep(entry),
      buildSetCodeStep(requestHash, code, now(), () => new EditConflict()),
    ])
    return { email, audit: { event: 'email_code.sent', user: userId }, refund }
  } catch (error) {
    await tryRefund(services, refund)
    if (error instanceof EditConflict) return undefined
    throw error
  }
}
