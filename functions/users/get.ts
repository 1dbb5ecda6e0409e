import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import { selectParts, toUserDetail } from '../../lib/accounts/directory/user-body.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import type { UseCase } from '../../lib/http/use-case.ts'

export const getUser: UseCase<typeof users.getUser> = async ({ params, query }, { table }) => {
  const user = await requireUser(table, params.id)
  return { status: 200, body: selectParts(await toUserDetail(table, user), query) }
}
