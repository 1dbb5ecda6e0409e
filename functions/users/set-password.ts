import { requireGoodPassword } from '../../lib/accounts/password-policy.ts'
import { effectivePermissions, isAdmin } from '../../lib/accounts/permissions.ts'
import { recorded } from '../../lib/accounts/visitor.ts'
import type { users } from '../../lib/contract/operations/users.ts'
import { AppError, notFound } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hashPassword } from '../../lib/secrets/passwords.ts'
import type { Services } from '../../lib/services.ts'
import { editUserEndingSessions, findUser, type UserRecord } from '../../lib/store/users.ts'

/** Sets the password of a user, and ends its sessions: whoever had the old one is out. */
export const setUserPassword: UseCase<typeof users.setUserPassword> = async (
  { params, body, principal, visitor },
  services,
) => {
  const user = await findUser(services.table, params.id)
  if (!user) throw notFound()
  await requireRightToChange(services, principal.user, user)
  await requireGoodPassword(services, body.password, user, 'password')
  const passwordHash = await hashPassword(body.password, services.config.passwordCost)
  await editUserEndingSessions(services.table, user, { passwordHash }, [
    recorded(visitor, 'password.set', { user: user.id }),
  ])
  return { status: 204 }
}

/** An administrator's account is an administrator's matter: or managing users would be a way to become one. */
const requireRightToChange = async (
  { table }: Services,
  changer: UserRecord,
  user: UserRecord,
): Promise<void> => {
  if (!isAdmin(await effectivePermissions(table, user))) return
  if (!isAdmin(await effectivePermissions(table, changer)))
    throw new AppError('permission_denied', {
      detail: 'Only a holder of system:admin-access may change the account of one.',
    })
}
