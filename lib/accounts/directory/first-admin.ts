import { hashPassword } from '../../secrets/passwords.ts'
import type { Services } from '../../services.ts'
import { buildFirstAdminStep, hasFirstAdmin } from '../../store/directory/first-admin.ts'
import { NotUnique } from '../../store/directory/not-unique.ts'
import { createUser } from '../../store/directory/users.ts'
import { ConditionFailed } from '../../store/engine/transaction-errors.ts'
import { buildUser } from './new-user.ts'

/**
 * Makes the user `admin`, once in the life of a table: not again after it was renamed, disabled or deleted, since
 * a restart must not bring an account back. Returns whether it was made now.
 */
export const ensureFirstAdmin = async (
  { table, config, now }: Services,
  { password }: { readonly password: string },
): Promise<boolean> => {
  if (await hasFirstAdmin(table)) return false
  const user = buildUser({
    username: 'admin',
    permissions: ['system:admin-access'],
    passwordHash: await hashPassword(password, config.passwordCost),
  })
  try {
    await createUser(table, user, now(), () => [buildFirstAdminStep(now())])
    return true
  } catch (error) {
    if (error instanceof ConditionFailed || error instanceof NotUnique) return false
    throw error
  }
}
