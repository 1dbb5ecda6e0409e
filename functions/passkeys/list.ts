import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import { toPasskeyBody } from '../../lib/accounts/passkeys/passkey-body.ts'
import type { Passkey } from '../../lib/contract/models/passkeys.ts'
import type { passkeys } from '../../lib/contract/operations/passkeys.ts'
import type { Ordering } from '../../lib/contract/query.ts'
import { type ListRequest, readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import { buildPage } from '../../lib/store/engine/listing.ts'
import { listPasskeys, type PasskeyRecord } from '../../lib/store/sign-in/passkeys.ts'
import { formatTime } from '../../lib/util/format-time.ts'
import { sortableId } from '../../lib/util/sortable-id.ts'

/** Lists the caller's passkeys. A user has only a few, so all of them are read at once and sorted here. */
export const getOwnPasskeys: UseCase<typeof passkeys.getOwnPasskeys> = async (request, services) => ({
  status: 200,
  ...(await readPage(services, request, request.principal.user.id)),
})

/** Lists the passkeys of a user, to help them when they lost one. */
export const getUserPasskeys: UseCase<typeof passkeys.getUserPasskeys> = async (request, services) => {
  const user = await requireUser(services.table, request.params.id)
  return { status: 200, ...(await readPage(services, request, user.id)) }
}

type SortField = 'id' | 'name' | 'created_at'

interface PasskeyListRequest extends ListRequest {
  readonly query: ListRequest['query'] & { readonly ordering: Ordering<SortField> }
}

const readPage = async (
  { table, config }: Services,
  request: PasskeyListRequest,
  userId: number,
): Promise<ReturnType<typeof toListReply<Passkey>>> => {
  const getSortKey = sortKeys[request.query.ordering.field]
  const { rows, next } = buildPage(await listPasskeys(table, userId), getSortKey, readPageRequest(request))
  const bodies = rows.map(({ indexKey, row }) => ({ indexKey, row: toPasskeyBody(row) }))
  return toListReply(request, config, { rows: bodies, next })
}

const formatId = ({ id }: PasskeyRecord): string => sortableId(id)

const sortKeys: Readonly<Record<SortField, (passkey: PasskeyRecord) => string>> = {
  id: formatId,
  name: (passkey) => `${passkey.name}\t${formatId(passkey)}`,
  created_at: (passkey) => `${formatTime(passkey.createdAt)}#${formatId(passkey)}`,
}
