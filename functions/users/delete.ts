import { requireProofForRights, requireRightToChange } from '../../lib/accounts/directory/account-rights.ts'
import { cleanUpAccount, deleteAccount } from '../../lib/accounts/directory/delete-account.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { notFound } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { findUser } from '../../lib/store/directory/users.ts'

/** Deletes a user. Repeating the request resumes the cleanup. */
export const deleteUser: UseCase<typeof users.deleteUser> = async (
  { params, principal, context },
  services,
) => {
  const user = await findUser(services.table, params.id)
  if (!user || user.successorId !== undefined) {
    if (user || !(await cleanUpAccount(services, params.id, context))) throw notFound()
    return { status: 204 }
  }
  await requireRightToChange(services, principal, user)
  await requireProofForRights(services, principal, [user])
  await deleteAccount(services, user, context)
  return { status: 204 }
}
