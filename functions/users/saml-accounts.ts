import type { Principal } from '../../lib/accounts/common/principal.ts'
import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import type { SAMLAccount } from '../../lib/contract/models/saml.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import type { Ordering } from '../../lib/contract/query.ts'
import { type ListRequest, readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import type { UserRecord } from '../../lib/store/directory/user-record.ts'
import { buildPage } from '../../lib/store/engine/listing.ts'
import { formatTime } from '../../lib/util/format-time.ts'
import { sortableId } from '../../lib/util/sortable-id.ts'
import { findUsableSamlAccounts, getSamlAccountId, type UsableSamlAccount } from './usable-saml-accounts.ts'

/** Lists the caller's accounts at identity providers. A user has only a few, so all of them are read at once. */
export const getOwnSamlAccounts: UseCase<typeof users.getOwnSamlAccounts> = async (request, services) => ({
  status: 200,
  ...(await listAccounts(services, request, request.principal.user)),
})

/** Lists the accounts of a user, to help them when they lost access to one. */
export const getUserSamlAccounts: UseCase<typeof users.getUserSamlAccounts> = async (request, services) => {
  const user = await requireUser(services.table, request.params.id)
  return { status: 200, ...(await listAccounts(services, request, user)) }
}

type SortField = 'id' | 'linked_at'

interface AccountListRequest extends ListRequest {
  readonly query: ListRequest['query'] & { readonly ordering: Ordering<SortField> }
  readonly principal: Principal
}

const listAccounts = async (
  services: Services,
  request: AccountListRequest,
  user: UserRecord,
): Promise<ReturnType<typeof toListReply<SAMLAccount>>> => {
  const accounts = await findUsableSamlAccounts(services, user)
  const getSortKey = request.query.ordering.field === 'id' ? formatId : formatAge
  const { rows, next } = buildPage(accounts, getSortKey, readPageRequest(request))
  const bodies = rows.map(({ indexKey, row }) => ({ indexKey, row: toAccountBody(row) }))
  return toListReply(request, services.config, { rows: bodies, next })
}

const formatId = (account: UsableSamlAccount): string => sortableId(getSamlAccountId(account))
const formatAge = (account: UsableSamlAccount): string =>
  `${formatTime(account.linkedAt ?? 0)}#${formatId(account)}`

export const toAccountBody = (account: UsableSamlAccount): SAMLAccount => {
  const { provider, shownName, linkedAt, lastUsedAt } = account
  return {
    id: getSamlAccountId(account),
    provider: { id: provider.id, name: provider.name },
    name: shownName,
    linked_at: linkedAt === undefined ? null : formatTime(linkedAt),
    last_used_at: lastUsedAt === undefined ? null : formatTime(lastUsedAt),
  }
}
