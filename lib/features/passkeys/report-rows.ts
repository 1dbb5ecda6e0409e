import { auditStep } from '../../accounts/events/write-event.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { FindRevoked } from '../../accounts/users/leak-row.ts'
import { isCredentialRevoked } from '../../accounts/users/revoked-credentials.records.ts'
import { editUser } from '../../accounts/users/write-users.records.ts'
import { ConditionFailed } from '../../kernel/table/transaction.ts'
import { buildDeletePasskeySteps, countRemovedPasskeys, findPasskeys } from './records.ts'

export const findRevokedPasskeys: FindRevoked = async ({ table }, user) =>
  (await findPasskeys(table, user.id))
    .filter(({ createdAt }) => isCredentialRevoked(user, createdAt))
    .map((passkey) => async (services, context) => {
      const current = await findUser(services.table, user.id)
      if (!current) return
      const audit = auditStep(context, 'passkey.removed', { user: user.id, target: String(passkey.id) })
      const extraSteps = [...buildDeletePasskeySteps(passkey, () => new ConditionFailed()), audit]
      await editUser(
        services.table,
        current,
        { passkeys: countRemovedPasskeys(current, [passkey]) },
        { extraSteps },
      )
    })
