import { toUserMini } from '../../lib/accounts/directory/user-body.ts'
import type { OwnedAPIToken } from '../../lib/contract/models/api-tokens.ts'
import type { apiTokens } from '../../lib/contract/operations/api-tokens.ts'
import { invalidRequest } from '../../lib/errors/errors.ts'
import { readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { listUsers } from '../../lib/store/directory/users.ts'
import { buildPage } from '../../lib/store/engine/listing.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import { isTimedIndexKey } from '../../lib/store/keys/listing-keys.ts'
import {
  type ApiTokenRecord,
  buildApiTokenListing,
  listApiTokens,
  readApiTokenPage,
} from '../../lib/store/sign-in/api-tokens.ts'
import { toTokenBody } from './stored-token.ts'

/** Lists the API tokens of all users, or of one of them, with their owners. */
export const getApiTokensOfAllUsers: UseCase<typeof apiTokens.getApiTokensOfAllUsers> = async (
  request,
  { table, config },
) => {
  const page = readPageRequest(request)
  if (page.after !== undefined && !isTimedIndexKey(page.after))
    throw invalidRequest([{ field: 'cursor', message: 'must come from a Link header' }])
  const { user } = request.query
  const { rows, next } =
    user === undefined
      ? await readApiTokenPage(table, page)
      : buildPage(await listApiTokens(table, user), (token) => buildApiTokenListing(token).lsk, page)
  const owners = await findOwners(
    table,
    rows.map(({ row }) => row),
  )
  const bodies = rows.flatMap(({ indexKey, row }) => {
    const owner = owners.get(row.userId)
    // The tokens of a deleted user do not work, and are being deleted.
    return owner ? [{ indexKey, row: { ...toTokenBody(row), user: owner } }] : []
  })
  return { status: 200, ...toListReply(request, config, { rows: bodies, next }) }
}

const findOwners = async (
  table: Table,
  tokens: readonly ApiTokenRecord[],
): Promise<ReadonlyMap<number, OwnedAPIToken['user']>> => {
  const users = await listUsers(table, [...new Set(tokens.map(({ userId }) => userId))])
  return new Map(users.flatMap((user) => (user ? [[user.id, toUserMini(user)] as const] : [])))
}
