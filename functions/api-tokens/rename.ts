import { auditStep } from '../../lib/accounts/common/request-context.ts'
import type { apiTokens } from '../../lib/contract/operations/api-tokens.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { renameApiToken } from '../../lib/store/sign-in/api-tokens.ts'
import { requireToken, toTokenBody } from './stored-token.ts'

/** Renames an API token. No other field can be changed. */
export const updateApiToken: UseCase<typeof apiTokens.updateApiToken> = async (
  { params, body, principal: { user }, context },
  services,
) => {
  const token = await requireToken(services, user.id, params.id)
  const record = auditStep(context, 'api_token.changed', { user: user.id, target: String(token.id) })
  return { status: 200, body: toTokenBody(await renameApiToken(services.table, token, body.name, [record])) }
}

export const patchApiToken: UseCase<typeof apiTokens.patchApiToken> = async (request, services) => {
  const { params, body, principal } = request
  const { name } = body
  if (name !== undefined) return updateApiToken({ ...request, body: { name } }, services)
  return { status: 200, body: toTokenBody(await requireToken(services, principal.user.id, params.id)) }
}
