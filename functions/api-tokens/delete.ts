import { auditStep } from '../../lib/accounts/common/request-context.ts'
import type { apiTokens } from '../../lib/contract/operations/api-tokens.ts'
import { notFound } from '../../lib/core/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { deleteApiToken as deleteStoredToken } from '../../lib/store/sign-in/api-tokens.ts'
import { requireToken } from './stored-token.ts'
import { requireChangeableTokenOwner } from './token-owner.ts'

/** Deletes an API token. The token and its tickets stop working at once. */
export const deleteApiToken: UseCase<typeof apiTokens.deleteApiToken> = async (
  { params, query, principal, context },
  services,
) => {
  const user = await requireChangeableTokenOwner(services, principal, query.user)
  const token = await requireToken(services, user, params.id)
  const record = auditStep(context, 'api_token.deleted', { user, target: String(token.id) })
  if (!(await deleteStoredToken(services.table, token, [record]))) throw notFound()
  return { status: 204 }
}
