import type { apiTokens } from '../../lib/contract/operations/api-tokens.ts'
import { notFound } from '../../lib/errors/errors.ts'
import { readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { buildPage } from '../../lib/store/engine/listing.ts'
import { type ApiTokenRecord, listApiTokens } from '../../lib/store/sign-in/api-tokens.ts'
import { sortableId } from '../../lib/util/sortable-id.ts'
import { requireToken, toTokenBody } from './stored-token.ts'
import { requireTokenOwner } from './token-owner.ts'

/**
 * Lists the API tokens of the caller or, for administrators, of another user. A user has only a few, so all of them are
 * read at once and sorted here.
 */
export const getAllApiTokens: UseCase<typeof apiTokens.getAllApiTokens> = async (request, services) => {
  const { principal, query } = request
  const owner = await requireTokenOwner(services, principal, query.user)
  // A session that a link opened shows that link only.
  const tokens = principal.session?.accessToken ? [] : await listApiTokens(services.table, owner)
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
  if (principal.session?.accessToken) throw notFound()
  return { status: 200, body: toTokenBody(await requireToken(services, owner, params.id)) }
}
