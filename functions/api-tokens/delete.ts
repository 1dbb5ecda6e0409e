import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import type { apiTokens } from '../../lib/contract/operations/api-tokens.ts'
import { notFound } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { deleteApiToken as deleteStoredToken } from '../../lib/store/sign-in/api-tokens.ts'
import { requireToken } from './stored-token.ts'
import { requireChangeableTokenOwner } from './token-owner.ts'

/**
 * Deletes an API token. The token and its tickets stop working at once. The owner gets an email if an administrator did it:
 * a program of theirs stops working without another word.
 */
export const deleteApiToken: UseCase<typeof apiTokens.deleteApiToken> = async (
  { params, query, principal, context },
  services,
) => {
  const owner = await requireChangeableTokenOwner(services, principal, query.user)
  const token = await requireToken(services, owner.id, params.id)
  const record = auditStep(context, 'api_token.deleted', { user: owner.id, target: String(token.id) })
  const isRevocation = owner.id !== principal.user.id
  const notice = isRevocation
    ? buildSecurityNoticeStep(services, context, owner, { kind: 'api_token_revoked' })
    : []
  if (!(await deleteStoredToken(services.table, token, [record, ...notice]))) throw notFound()
  return { status: 204 }
}
