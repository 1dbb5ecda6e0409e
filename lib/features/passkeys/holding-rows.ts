import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import type { HoldingRow } from '../../accounts/users/holding-row.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import { buildDeletePasskeySteps, countRemovedPasskeys, findPasskeys } from './records.ts'

export const passkey: HoldingRow = {
  count: (_, { passkeys }) => passkeys?.count ?? 0,
  /** In the same write, so that none of them signs in afterwards. There are only a few. */
  plan: async (services, user, { context }) => {
    const found = user.passkeys?.count ? await findPasskeys(services.table, user.id) : []
    if (found.length === 0) return {}
    return {
      changes: { passkeys: countRemovedPasskeys(user, found) },
      steps: [
        ...found.flatMap((one) => [
          ...buildDeletePasskeySteps(one, () => new EditConflict()),
          auditStep(context, 'passkey.removed', { user: user.id, target: String(one.id) }),
        ]),
        ...buildSecurityNoticeStep(services, context, user, { kind: 'passkey_removed' }),
      ],
    }
  },
}
