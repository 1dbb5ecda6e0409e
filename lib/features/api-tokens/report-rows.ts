import { auditStep } from '../../accounts/events/write-event.ts'
import type { FindRevoked } from '../../accounts/users/leak-row.ts'
import { isApiTokenRevoked } from '../../accounts/users/revoked-credentials.records.ts'
import { buildRemoveApiTokenSteps, findApiTokens } from './records.ts'

export const findRevokedApiTokens: FindRevoked = async ({ table }, user) =>
  (await findApiTokens(table, user.id))
    .filter((token) => isApiTokenRevoked(user, token))
    .map((token) => (services, context) => {
      const audit = auditStep(context, 'api_token.deleted', { user: user.id, target: String(token.id) })
      return services.table.transact([...buildRemoveApiTokenSteps(token), audit])
    })
