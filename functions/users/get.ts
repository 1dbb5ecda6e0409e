import { toUserDetail } from '../../lib/accounts/directory/user-body.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { notFound } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findUser } from '../../lib/store/directory/users.ts'

export const getUser: UseCase<typeof users.getUser> = async ({ params }, { table }) => {
  const user = await findUser(table, params.id)
  if (!user) throw notFound()
  return { status: 200, body: await toUserDetail(table, user) }
}
