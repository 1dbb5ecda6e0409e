import { hasAdminAccess } from '../../accounts/callers/permissions.ts'
import type { MailJob } from '../../accounts/outbox/job.records.ts'
import { parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import { buildDoneStep, buildOutboxStep, type OutboxEntry } from '../../accounts/outbox/outbox.records.ts'
import { isActive } from '../../accounts/users/account-state.ts'
import { findAdminIds } from '../../accounts/users/admins.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { hasVerifiedEmail } from '../../accounts/users/guest-state.records.ts'
import { administratorsInformed } from '../../kernel/limits/limits.ts'
import type { Services } from '../../services.ts'
import { renderAdministratorNoticeEmail } from './administrator-notice-email.ts'
import { type PreparedEmail, prepareNotice, writeEmail } from './write-email.ts'

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
  { userId, change, name, at, device, connection }: Extract<MailJob, { kind: 'administrator_notice' }>,
): Promise<PreparedEmail | undefined> => {
  const { table, now } = services
  const user = await findUser(table, userId)
  if (!user || !isActive(user, now()) || !hasAdminAccess(user.permissions) || !hasVerifiedEmail(user))
    return undefined
  const to = parseMailAddress(user.email)
  if (!to) return undefined
  return prepareNotice(
    services,
    entry,
    { to, userId, kind: 'administrator_notice', subject: change },
    async () => {
      const actor = entry.actor === null ? undefined : await findUser(table, entry.actor)
      const details = {
        change,
        name,
        at,
        device,
        connection,
        by: actor?.username,
        address: entry.address,
        userId: entry.actor,
      }
      return writeEmail(services, entry, { to: to.address, user }, (envelope) =>
        renderAdministratorNoticeEmail(envelope, details),
      )
    },
  )
}
