import { outboxPartitions } from '../../lib/kernel/table/keys/job-keys.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { deliverMail } from '../../test/support/deliver-mail.ts'
import type { TestService } from '../../test/support/service.ts'
import { readItems } from '../../test/support/table-copies.ts'
import { findUnaudited } from './audit-back.ts'
import type { Ledger } from './ledger.ts'
import type { MailIndex } from './mail-index.ts'
import { findHalfMade } from './read-back.ts'

/** Most items of a long soak are of other kinds, such as sessions and tickets. */
const isCompared = ({ pk, sk }: Item): boolean =>
  !pk.startsWith(partitions.user) || sk === 'user' || sk.startsWith('api-token')

/** Reads everything back after the load and without disruptions. Returns what is wrong as lines. */
export const checkTable = async (
  service: TestService,
  ledger: Ledger,
  mails: MailIndex,
): Promise<readonly string[]> => {
  await deliverMail(service)
  const items = await readItems(service.tableName, isCompared)
  const jobs = items.filter(({ pk }) => outboxPartitions.includes(pk))
  const untried = jobs.filter(({ takenAt }) => takenAt === undefined)
  // A mailer that lost its connection may hold a job for 90 seconds, and does not repeat one that it began to send.
  const missing = mails.listMissing()
  return [
    ...findHalfMade(items),
    ...findUnaudited(items, ledger),
    ...(await findUnended(service, ledger)),
    ...(untried.length > 0 ? [`${untried.length} mail jobs were never tried`] : []),
    ...(missing.length > jobs.length
      ? [`${missing.length} emails are missing, and ${jobs.length} mail jobs are left`]
      : []),
  ]
}

/** The most requests at the same time. */
const inFlight = 16

const findUnended = async ({ client }: TestService, { endedBearers }: Ledger): Promise<readonly string[]> => {
  const left = [...new Set(endedBearers)]
  let accepted = 0
  const check = async () => {
    for (let bearer = left.pop(); bearer !== undefined; bearer = left.pop())
      if ((await client('GET', '/api/2/users/me', { bearer })).status !== 401) accepted++
  }
  await Promise.all(Array.from({ length: inFlight }, check))
  return accepted > 0 ? [`${accepted} ended credentials are accepted`] : []
}
