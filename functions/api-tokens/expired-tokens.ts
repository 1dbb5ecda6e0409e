import { auditStep, type RequestContext } from '../../lib/accounts/common/request-context.ts'
import { ConflictError } from '../../lib/errors/errors.ts'
import type { Services } from '../../lib/services.ts'
import { hasApiTokenExpired } from '../../lib/store/records/api-token-record.ts'
import { deleteApiToken, findApiTokens } from '../../lib/store/sign-in/api-tokens.ts'

/**
 * Creates a token. If the user has as many tokens as allowed, the expired ones are deleted first: they are still listed,
 * but must not keep their owner from creating a new one.
 */
export const replacingExpired = async <Token>(
  services: Services,
  userId: number,
  context: RequestContext,
  create: () => Promise<Token>,
): Promise<Token> => {
  try {
    return await create()
  } catch (error) {
    if (!(error instanceof ConflictError) || error.kind !== 'too_many_api_tokens') throw error
    if (!(await deleteExpired(services, userId, context))) throw error
    return create()
  }
}

/** Returns whether there were any. */
const deleteExpired = async (
  { table, now }: Services,
  userId: number,
  context: RequestContext,
): Promise<boolean> => {
  const tokens = await findApiTokens(table, userId)
  const expired = tokens.filter((token) => hasApiTokenExpired(token, now()))
  for (const token of expired)
    await deleteApiToken(table, token, [
      auditStep(context, 'api_token.deleted', { user: userId, target: String(token.id) }),
    ])
  return expired.length > 0
}
