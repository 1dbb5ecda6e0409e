import type { HoldingRow } from '../../accounts/users/holding-row.ts'

export const emailConfirmation: HoldingRow = {
  count: ({ now }, { emailConfirmation: link }) => (link && now() < link.expiresAt ? 1 : 0),
  plan: () => ({ changes: { emailConfirmation: undefined, pendingEmail: undefined } }),
}
