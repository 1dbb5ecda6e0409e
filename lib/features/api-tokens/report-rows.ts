import { auditStep } from '../../accounts/events/write-event.ts'
import type { FindRevoked, Remove } from '../../accounts/users/leak-row.ts'
import { isApiTokenRevoked } from '../../accounts/users/revoked-credentials.records.ts'
import { type ApiTokenRecord, buildRemoveApiTokenSteps, findApiTokens } from './records.ts'

export const findRevokedApiTokens: FindRevoked = async ({ table }, user) =>
  (await findApiTokens(table, user.id)).filter((token) => isApiTokenRevoked(user, token)).map(buildRemoval)

/** Builds the function that deletes a token which ended. */
export const buildRemoval =
  (token: ApiTokenRecord): Remove =>
  (services, context) => {
    const audit = auditStep(context, 'api_token.deleted', { user: token.userId, target: String(token.id) })
    return services.table.transact([...buildRemoveApiTokenSteps(token), audit])
  }
