import { administratorsInformed } from '../../kernel/limits/limits.ts'
import type { Services } from '../../services.ts'
import { hasAdminAccess } from '../access/permissions.ts'
import { tryRefund } from '../access/throttle.ts'
import { isActive } from '../directory/account-state.ts'
import { findAdminIds } from '../directory/admins.records.ts'
import { hasVerifiedEmail } from '../directory/guest-state.records.ts'
import { findUser } from '../directory/users.records.ts'
import { renderAdministratorNoticeEmail } from './administrator-notice-email.ts'
import type { MailJob } from './job.records.ts'
import { isSuppressed, parseMailAddress } from './mail-addresses.ts'
import { buildDoneStep, buildOutboxStep, type OutboxEntry } from './outbox.records.ts'
import { type PreparedEmail, tryConsume, writeEmail } from './write-email.ts'

/**
 * Replaces the job with one for each administrator, in one transaction. So none of them gets the email twice or not at
 * all. The one whose session did it comes first, because a thief may have it.
 *
 * @throws EntryLost
 */
export const informAdministrators = async (
  { table, now }: Services,
  entry: OutboxEntry,
  job: Extract<MailJob, { kind: 'administrators_notice' }>,
): Promise<undefined> => {
  const ids = await findAdminIds(table)
  const isActor = (id: number): boolean => id === entry.actor
  const informed = [...ids.filter(isActor), ...ids.filter((id) => !isActor(id))].slice(
    0,
    administratorsInformed,
  )
  await table.transact([
    buildDoneStep(entry),
    ...informed.map((userId) =>
      buildOutboxStep({ ...job, kind: 'administrator_notice', userId }, { ...entry, failures: 0 }, now()),
    ),
  ])
}

/** Prepares the email to one administrator. Undefined if they cannot receive it, or got too many about such changes. */
export const prepareAdministratorNoticeEmail = async (
  services: Services,
  entry: OutboxEntry,
  { userId, change, name, at, device }: Extract<MailJob, { kind: 'administrator_notice' }>,
): Promise<PreparedEmail | undefined> => {
  const { table, log, now } = services
  const user = await findUser(table, userId)
  if (!user || !isActive(user, now()) || !hasAdminAccess(user.permissions) || !hasVerifiedEmail(user))
    return undefined
  const to = parseMailAddress(user.email)
  if (!to) return undefined
  const isWithheld = await isSuppressed(services, to)
  const refund = isWithheld ? undefined : await tryConsume(services, 'securityNotices', `${userId}#${change}`)
  if (!refund) {
    log.warn('mail.withheld', { request_id: entry.requestId, kind: 'administrator_notice', user: userId })
    return undefined
  }
  try {
    const actor = entry.actor === null ? undefined : await findUser(table, entry.actor)
    const details = {
      change,
      name,
      at,
      device,
      by: actor?.username,
      address: entry.address,
      userId: entry.actor,
    }
    const email = await writeEmail(services, entry, { to: to.address, user }, (envelope) =>
      renderAdministratorNoticeEmail(envelope, details),
    )
    return { email, refund }
  } catch (error) {
    await tryRefund(services, refund)
    throw error
  }
}
