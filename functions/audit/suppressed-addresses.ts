import { parseMailAddress } from '../../lib/accounts/common/mail-addresses.ts'
import { auditStep } from '../../lib/accounts/common/request-context.ts'
import type { SuppressedAddress } from '../../lib/contract/models/audit.ts'
import type { audit } from '../../lib/contract/operations/audit.ts'
import { invalidRequest, notFound } from '../../lib/errors/errors.ts'
import { requireFound } from '../../lib/errors/require-found.ts'
import { readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import { findUserIdByEmail } from '../../lib/store/directory/users.ts'
import { isTimedIndexKey } from '../../lib/store/keys/listing-keys.ts'
import {
  buildLiftSuppressionStep,
  findSuppression,
  getSuppressionEnd,
  readSuppressedPage,
  type SuppressedAddress as StoredAddress,
} from '../../lib/store/mail/suppressed-addresses.ts'
import { formatTime } from '../../lib/util/format-time.ts'

/** Lists suppressed addresses. */
export const getSuppressedAddresses: UseCase<typeof audit.getSuppressedAddresses> = async (
  request,
  services,
) => {
  const page = readPageRequest(request)
  if (page.after !== undefined && !isTimedIndexKey(page.after))
    throw invalidRequest([{ field: 'cursor', message: 'must come from a Link header' }])
  const { address } = request.query
  const { rows, next } =
    address === undefined
      ? await readSuppressedPage(services.table, page, services.now())
      : { rows: await findExact(services, address), next: undefined }
  const shown = address === undefined ? rows : rows.slice(page.skip)
  const bodies = shown.map(({ indexKey, row }) => ({ indexKey, row: toBody(row) }))
  return { status: 200, ...toListReply(request, services.config, { rows: bodies, next }) }
}

const findExact = async ({ table, now }: Services, address: string) => {
  const normalizedEmail = parseMailAddress(address)?.normalized
  const found = normalizedEmail && (await findSuppression(table, normalizedEmail, now()))
  return found ? [{ indexKey: normalizedEmail, row: { ...found, normalizedEmail } }] : []
}

const toBody = (stored: StoredAddress): SuppressedAddress => ({
  key: Buffer.from(stored.normalizedEmail).toString('base64url'),
  address: stored.normalizedEmail,
  reason: stored.reason,
  since: formatTime(stored.since),
  until: formatTime(getSuppressionEnd(stored)),
})

/** Lets an address receive email again. */
export const liftSuppression: UseCase<typeof audit.liftSuppression> = async (
  { params, context },
  { table, now },
) => {
  const address = Buffer.from(params.key, 'base64url').toString('utf8')
  const normalizedEmail = requireFound(parseMailAddress(address)?.normalized)
  const { reason } = requireFound(await findSuppression(table, normalizedEmail, now()))
  const user = (await findUserIdByEmail(table, normalizedEmail)) ?? null
  await table.transact([
    buildLiftSuppressionStep(normalizedEmail, notFound),
    auditStep(context, 'mail.suppression_lifted', { user, target: reason }),
  ])
  return { status: 204 }
}
