import { hashPassword } from '../../kernel/secrets/passwords.ts'
import { ConditionFailed } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { buildFirstSignInPolicyStep } from '../sign-in/policy.records.ts'
import { firstSignInPolicy } from '../sign-in/policy.ts'
import { buildFirstAdminStep, hasFirstAdmin } from './admins.records.ts'
import { buildSkeletonField } from './lookalikes.ts'
import { buildUser } from './new-user.ts'
import { LooksLikeOther, NotUnique } from './user.records.ts'
import { createUser } from './users.records.ts'

/**
 * Creates the user `admin` and the first sign-in policy once in the lifetime of a table. It is not created again after it was renamed, disabled or
 * deleted, because a restart must not restore an account. The password is read only if it is needed: operators may delete its secret.
 * Returns whether it was created now.
 */
export const ensureFirstAdmin = async (
  { table, config, now }: Services,
  { readPassword }: { readonly readPassword: () => string | Promise<string> },
): Promise<boolean> => {
  if (await hasFirstAdmin(table)) return false
  const user = buildUser({
    username: 'admin',
    ...(await buildSkeletonField(config, 'admin')),
    permissions: ['system:admin-access'],
    passwordHash: await hashPassword(await readPassword(), config.passwordCost),
  })
  try {
    await createUser(table, user, now(), {
      extraSteps: () => [buildFirstAdminStep(now()), buildFirstSignInPolicyStep(firstSignInPolicy, now())],
    })
    return true
  } catch (error) {
    const isTaken = error instanceof NotUnique || error instanceof LooksLikeOther
    if (error instanceof ConditionFailed || isTaken) return false
    throw error
  }
}
