import { ConditionFailed } from '../../kernel/table/transaction.ts'
import { auditStep } from '../audit/write-event.ts'
import type { FindRevoked } from '../directory/leak-row.ts'
import { isCredentialRevoked } from '../directory/revoked-credentials.records.ts'
import { editUser, findUser } from '../directory/users.records.ts'
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
