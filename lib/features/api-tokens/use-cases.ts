import { listUsedNetworks } from '../../accounts/callers/credential-use.records.ts'
import { describeFacts } from '../../accounts/events/change-event.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import { listUsers } from '../../accounts/users/find-users.records.ts'
import { toUserMini } from '../../accounts/users/user-body.ts'
import { readPageRequest, toListReply } from '../../http/paging.ts'
import type { UseCase } from '../../http/use-case.ts'
import { invalidRequest, notFound } from '../../kernel/errors/errors.ts'
import { isTimedIndexKey } from '../../kernel/table/keys/listing-keys.ts'
import { buildPage } from '../../kernel/table/listing.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Table } from '../../kernel/table/table.ts'
import { foldText } from '../../kernel/util/fold-text.ts'
import { sortableId } from '../../kernel/util/sortable-id.ts'
import { apiTokenAuditFields } from './audit-fields.ts'
import { requireNearExpiry } from './expiry.ts'
import type { OwnedAPIToken } from './models.ts'
import type { apiTokens } from './operations.ts'
import {
  type ApiTokenRecord,
  buildApiTokenListing,
  deleteApiToken as deleteStoredToken,
  listApiTokens,
  readApiTokenPage,
  renameApiToken,
  shortenApiToken as shortenStoredToken,
} from './records.ts'
import { requireChangeableTokenOwner, requireToken, requireTokenOwner, toTokenBody } from './stored-token.ts'

/** Lists the API tokens of all users, or of one of them, with their owners. */
export const getApiTokensOfAllUsers: UseCase<typeof apiTokens.getApiTokensOfAllUsers> = async (
  request,
  { table, config, now },
) => {
  const page = readPageRequest(request)
  if (page.after !== undefined && !isTimedIndexKey(page.after))
    throw invalidRequest([{ field: 'cursor', message: 'must come from a Link header' }])
  const { user } = request.query
  const keep = buildFilter(request.query)
  const { rows, next } =
    user === undefined
      ? await readApiTokenPage(table, page, keep)
      : buildPage(
          (await listApiTokens(table, user)).filter((token) => keep?.(token) ?? true),
          (token) => buildApiTokenListing(token).lsk,
          page,
        )
  const owners = await findOwners(
    table,
    rows.map(({ row }) => row),
  )
  const bodies = rows.flatMap(({ indexKey, row }) => {
    const owner = owners.get(row.userId)
    // The tokens of a deleted user do not work, and are being deleted.
    if (!owner) return []
    const uses = user !== undefined && { used_networks: listUsedNetworks(row.usedNetworks ?? [], now()) }
    return [{ indexKey, row: { ...toTokenBody(row), user: owner, ...uses } }]
  })
  return { status: 200, ...toListReply(request, config, { rows: bodies, next }) }
}

interface TokenFilter {
  readonly name?: string | undefined
  readonly scope?: string | undefined
  readonly unlimited?: boolean | undefined
  readonly unused_since?: string | undefined
}

/** Returns undefined if nothing is filtered. */
const buildFilter = ({ name, scope, unlimited, unused_since: unusedSince }: TokenFilter) => {
  if ([name, scope, unlimited, unusedSince].every((given) => given === undefined)) return undefined
  const wanted = name === undefined ? undefined : foldText(name)
  const unusedSinceMs = unusedSince === undefined ? undefined : Date.parse(unusedSince)
  return (token: ApiTokenRecord): boolean =>
    (wanted === undefined || foldText(token.name).includes(wanted)) &&
    (scope === undefined || token.scopes?.includes(scope) === true) &&
    (unlimited === undefined || (token.scopes === null) === unlimited) &&
    (unusedSinceMs === undefined || (token.lastUsedAt ?? 0) < unusedSinceMs)
}

const findOwners = async (
  table: Table,
  tokens: readonly ApiTokenRecord[],
): Promise<ReadonlyMap<number, OwnedAPIToken['user']>> => {
  const users = await listUsers(table, [...new Set(tokens.map(({ userId }) => userId))])
  return new Map(users.flatMap((user) => (user ? [[user.id, toUserMini(user)] as const] : [])))
}

/**
 * Lists the API tokens of the caller or, for administrators, of another user. A user has only a few, so all of them are
 * read at once and sorted here.
 */
export const getAllApiTokens: UseCase<typeof apiTokens.getAllApiTokens> = async (request, services) => {
  const { principal, query } = request
  const owner = await requireTokenOwner(services, principal, query.user)
  // A session that a link opened shows that link only.
  const tokens = principal.session?.accessLink ? [] : await listApiTokens(services.table, owner)
  const named = tokens.filter(({ name }) => query.name === undefined || name === query.name)
  const getSortKey = query.ordering.field === 'id' ? formatId : formatName
  const { rows, next } = buildPage(named, getSortKey, readPageRequest(request))
  const bodies = rows.map(({ indexKey, row }) => ({ indexKey, row: toTokenBody(row) }))
  return { status: 200, ...toListReply(request, services.config, { rows: bodies, next }) }
}

const formatId = ({ id }: ApiTokenRecord): string => sortableId(id)
const formatName = (token: ApiTokenRecord): string => `${token.name.slice(0, 200)}\t${formatId(token)}`

export const getApiToken: UseCase<typeof apiTokens.getApiToken> = async (request, services) => {
  const { params, query, principal } = request
  const owner = await requireTokenOwner(services, principal, query.user)
  if (principal.session?.accessLink) throw notFound('API token')
  return { status: 200, body: toTokenBody(await requireToken(services, owner, params.id)) }
}

/** Renames an API token. No other field can be changed. */
export const updateApiToken: UseCase<typeof apiTokens.updateApiToken> = async (
  { params, body, principal: { user }, context },
  services,
) => {
  const token = await requireToken(services, user.id, params.id)
  if (body.name === token.name) return { status: 200, body: toTokenBody(token) }
  const record = auditStep(context, 'api_token.changed', {
    user: user.id,
    target: String(token.id),
    ...describeFacts({ fields: apiTokenAuditFields, before: token, after: body }),
  })
  return { status: 200, body: toTokenBody(await renameApiToken(services.table, token, body.name, [record])) }
}

export const patchApiToken: UseCase<typeof apiTokens.patchApiToken> = async (request, services) => {
  const { params, body, principal } = request
  const { name } = body
  if (name !== undefined) return updateApiToken({ ...request, body: { name } }, services)
  return { status: 200, body: toTokenBody(await requireToken(services, principal.user.id, params.id)) }
}

/** Lets an API token expire within some days. It never works longer than before. */
export const shortenApiToken: UseCase<typeof apiTokens.shortenApiToken> = async (
  { params, body, principal, context },
  services,
) => {
  const owner = await requireChangeableTokenOwner(services, principal, body.user)
  const expiresAt = requireNearExpiry(body.expires, services.now())
  return retryConflicts(async () => {
    const token = await requireToken(services, owner.id, params.id)
    if (token.expiresAt === expiresAt) return { status: 200, body: toTokenBody(token) }
    if (token.expiresAt !== undefined && token.expiresAt < expiresAt)
      throw invalidRequest([{ field: 'expires', message: 'must not be later than the token expires now' }])
    const record = auditStep(context, 'api_token.shortened', {
      user: owner.id,
      target: String(token.id),
      ...describeFacts({ fields: apiTokenAuditFields, before: token, after: { expiresAt } }),
    })
    return {
      status: 200,
      body: toTokenBody(await shortenStoredToken(services.table, token, expiresAt, [record])),
    }
  }, 'The API token kept changing. Send the request again.')
}

/**
 * Deletes an API token. The token and its tickets stop working at once. The owner gets an email if an administrator did it:
 * a program of theirs stops working without another word.
 */
export const deleteApiToken: UseCase<typeof apiTokens.deleteApiToken> = async (
  { params, query, principal, context },
  services,
) => {
  const owner = await requireChangeableTokenOwner(services, principal, query.user)
  const token = await requireToken(services, owner.id, params.id)
  const record = auditStep(context, 'api_token.deleted', { user: owner.id, target: String(token.id) })
  const isRevocation = owner.id !== principal.user.id
  const notice = isRevocation
    ? buildSecurityNoticeStep(services, context, owner, { kind: 'api_token_revoked' })
    : []
  if (!(await deleteStoredToken(services.table, token, [record, ...notice]))) throw notFound('API token')
  return { status: 204 }
}
