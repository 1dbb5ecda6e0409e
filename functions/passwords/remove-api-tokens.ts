import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import type { Services } from '../../lib/services.ts'
import { wasCommitted } from '../../lib/store/engine/transaction-errors.ts'
import { isApiTokenRevoked } from '../../lib/store/records/revoked-credentials.ts'
import type { UserRecord } from '../../lib/store/records/user-record.ts'
import { buildRemoveApiTokenSteps, findApiTokens } from '../../lib/store/sign-in/api-tokens.ts'

/**
 * Deletes the API tokens that ended with a reset. They do not work any more, so a failure is only logged: the password
 * is set already.
 */
export const removeApiTokens = async (
  { table, log }: Services,
  user: UserRecord,
  context: RequestContext,
): Promise<void> => {
  try {
    const tokens = await findApiTokens(table, user.id)
    for (const token of tokens.filter((one) => isApiTokenRevoked(user, one))) {
      const details = { user: user.id, actor: user.id, target: String(token.id) }
      const audit = auditStep(context, 'api_token.deleted', details)
      await wasCommitted(table.transact([...buildRemoveApiTokenSteps(token), audit]))
    }
  } catch (error) {
    log.error('api_tokens.not_deleted', { user: user.id, error })
  }
}
