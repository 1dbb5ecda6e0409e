import { getCallerPermissions, grants } from '../../accounts/callers/permissions.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { parseMailAddress } from '../../accounts/outbox/mail-addresses.ts'
import {
  buildLiftSuppressionStep,
  findSuppression,
  getSuppressionEnd,
  readSuppressedPage,
  type SuppressedAddress as StoredAddress,
} from '../../accounts/outbox/suppressed-addresses.records.ts'
import { findUser, findUserIdByEmail, listUsers } from '../../accounts/users/find-users.records.ts'
import { readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase } from '../../http/use-case.ts'
import { invalidRequest, notFound, requireFound } from '../../kernel/errors/errors.ts'
import {
  buildLiftRateLimitStep,
  findRateLimited,
  limitedNames,
  type RateLimited,
  readRateLimitedPage,
} from '../../kernel/rates/rate-limited.ts'
import { isTimedIndexKey } from '../../kernel/table/keys/listing-keys.ts'
import { mapRows } from '../../kernel/table/listing.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { requireRightToChange } from '../directory/rights/account-rights.ts'
import type { RateLimitedSubject, SuppressedAddress } from './models.ts'
import type { audit } from './operations.ts'

const noBlock = ['block', 'It may have ended already. Read the list again.'] as const

/** Lists what is refused at the moment because of a rate limit. Names of accounts are for callers who may read users. */
export const getRateLimitedSubjects: UseCase<typeof audit.getRateLimitedSubjects> = async (
  request,
  services,
) => {
  const { table, config, now } = services
  const page = readPageRequest(request)
  if (page.after !== undefined && !isTimedIndexKey(page.after))
    throw invalidRequest([{ field: 'cursor', message: 'must come from a Link header' }])
  const { user, name: given } = request.query
  const name = limitedNames.find((known) => known === given)
  if (given !== undefined && !name)
    throw invalidRequest([{ field: 'name', message: 'must be the name of a rate limit' }])
  const found = await readRateLimitedPage(table, config.rateLimits, { name, user, nowMs: now() }, page)
  const bodies = await mapRows(found, async (rows) => {
    const permissions = await getCallerPermissions(table, request.principal)
    const ids = grants(permissions, 'users:view') ? rows.flatMap((row) => row.user ?? []) : []
    const users = await listUsers(table, [...new Set(ids)])
    const names = new Map(users.flatMap((one) => (one ? [[one.id, one.username] as const] : [])))
    return rows.map((row) => toRateLimitedBody(row, names))
  })
  return { status: 200, ...toListReply(request, config, bodies) }
}

const toRateLimitedBody = (row: RateLimited, names: ReadonlyMap<number, string>): RateLimitedSubject => ({
  key: `${row.name}-${row.hash}`,
  name: row.name,
  user: row.user ?? null,
  user_name: names.get(row.user ?? 0) ?? null,
  network: row.network ?? null,
  access_token: row.accessLink ?? null,
  since: formatTime(row.since),
  until: row.until === null ? null : formatTime(row.until),
})

/**
 * Forgets the events of a subject. For an account, the caller needs the right to change it: otherwise a thief of a
 * session could go on guessing the password of an administrator.
 */
export const liftRateLimit: UseCase<typeof audit.liftRateLimit> = async (
  { params, principal, context },
  services,
) => {
  const { table, config, now } = services
  const [, given, hash = ''] = /^(\w+)-([\w-]{43})$/.exec(params.key) ?? []
  const name = requireFound(
    limitedNames.find((known) => known === given),
    ...noBlock,
  )
  const limited = requireFound(
    await findRateLimited(table, config.rateLimits, { name, hash, nowMs: now() }),
    ...noBlock,
  )
  const user = limited.user === undefined ? undefined : await findUser(table, limited.user)
  if (user) await requireRightToChange(services, principal, user)
  await table.transact([
    buildLiftRateLimitStep(limited, () => notFound(...noBlock)),
    auditStep(context, 'rate_limit.lifted', {
      user: limited.user ?? null,
      target: limited.network === undefined ? name : `${name} ${limited.network}`,
    }),
  ])
  return { status: 204 }
}

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
  const bodies = shown.map(({ indexKey, row }) => ({ indexKey, row: toSuppressedBody(row) }))
  return { status: 200, ...toListReply(request, services.config, { rows: bodies, next }) }
}

const findExact = async ({ table, now }: Services, address: string) => {
  const normalizedEmail = parseMailAddress(address)?.normalized
  const found = normalizedEmail && (await findSuppression(table, normalizedEmail, now()))
  return found ? [{ indexKey: normalizedEmail, row: { ...found, normalizedEmail } }] : []
}

const toSuppressedBody = (stored: StoredAddress): SuppressedAddress => ({
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
  const normalizedEmail = requireFound(parseMailAddress(address)?.normalized, ...noBlock)
  const { reason } = requireFound(await findSuppression(table, normalizedEmail, now()), ...noBlock)
  const user = (await findUserIdByEmail(table, normalizedEmail)) ?? null
  await table.transact([
    buildLiftSuppressionStep(normalizedEmail, () => notFound(...noBlock)),
    auditStep(context, 'mail.suppression_lifted', { user, target: reason }),
  ])
  return { status: 204 }
}
