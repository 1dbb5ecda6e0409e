import { isSuppressed, mailAddressOf } from '../../lib/accounts/mail-addresses.ts'
import { mintResetToken, userToReset } from '../../lib/accounts/reset-tokens.ts'
import { spend } from '../../lib/accounts/throttle.ts'
import { recorded } from '../../lib/accounts/visitor.ts'
import { AppError } from '../../lib/core/errors.ts'
import { resetTokenLifetimeMs } from '../../lib/core/limits.ts'
import { isUnsent } from '../../lib/mail/failures.ts'
import type { Mail } from '../../lib/mail/mail.ts'
import { resetLetter } from '../../lib/mail/reset-letter.ts'
import { sendMail } from '../../lib/mail/send.ts'
import type { Services } from '../../lib/services.ts'
import { dropEntry, type OutboxEntry, returnEntry, takeEntry } from '../../lib/store/outbox.ts'
import { certificateEndingMail } from './certificate-ending.ts'

/**
 * Takes an entry of the outbox and sends its mail. Returns false when it certainly wasn't sent and should be tried
 * again; an entry whose mail may have gone out is not sent twice.
 */
export const carryOut = async (services: Services, place: string): Promise<boolean> => {
  const entry = await takeEntry(services.table, place, services.now())
  if (!entry) return true
  try {
    const mail = await writeMail(services, entry)
    if (mail) await sendMail(services.config, mail)
    await dropEntry(services.table, place)
    return true
  } catch (error) {
    services.log.error('mail.failed', { request_id: entry.requestId, kind: entry.errand.kind, error })
    if (!isUnsent(error)) return true
    await returnEntry(services.table, place)
    return false
  }
}

/**
 * The mail of an errand, or undefined when there is nobody to send it to: the account had its share, or mail to its
 * address came back. Whoever asked isn't told, but the log is.
 */
const writeMail = async (services: Services, entry: OutboxEntry): Promise<Mail | undefined> => {
  if (entry.errand.kind === 'saml_certificate_ending') return certificateEndingMail(services, entry.errand)
  const user = await userToReset(services, entry.errand)
  if (!user) return undefined
  const recipient = mailAddressOf(user.email ?? '')
  if (!recipient || (await isSuppressed(services, recipient))) {
    services.log.warn('mail.withheld', {
      request_id: entry.requestId,
      kind: entry.errand.kind,
      user: user.id,
    })
    return undefined
  }
  if (!(await hasMailLeft(services, user.id))) return undefined
  const { value, step } = mintResetToken(services, user)
  const origin = { ...entry, userAgent: '', at: services.now() }
  await services.table.transact([step, recorded(origin, 'password.reset_sent', { user: user.id })])
  return resetLetter({
    to: recipient.address,
    username: user.username,
    publicUrl: services.config.publicUrl,
    token: value,
    lifetimeMs: resetTokenLifetimeMs,
  })
}

const hasMailLeft = async (services: Services, userId: number): Promise<boolean> => {
  try {
    await spend(services, 'resetRequestsPerAccount', String(userId))
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
