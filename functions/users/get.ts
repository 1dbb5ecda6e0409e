import { requireUser } from '../../lib/accounts/directory/require-records.ts'
import { selectParts } from '../../lib/accounts/directory/user-body.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { toManagedUser } from './managed-user.ts'

export const getUser: UseCase<typeof users.getUser> = async ({ params, query }, services) => {
  const user = await requireUser(services.table, params.id)
  return { status: 200, body: selectParts(await toManagedUser(services, user), query) }
}
