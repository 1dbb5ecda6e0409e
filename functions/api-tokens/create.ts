import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import { estimateTokenBits } from '../../lib/accounts/sign-in/custom-token.ts'
import type { apiTokens } from '../../lib/contract/operations/api-tokens.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import { apiTokensPerUser, customTokenEntropyBits } from '../../lib/core/limits.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hasCredentialPrefix, hashCredential, mintCredential } from '../../lib/secrets/credentials.ts'
import { createApiToken as createStoredToken } from '../../lib/store/sign-in/api-tokens.ts'

/** Creates an API token with a random value or one that the caller chose. Only this response contains the value. */
export const createApiToken: UseCase<typeof apiTokens.createApiToken> = async (
  { body, principal: { user }, context },
  services,
) => {
  const { table, now } = services
  const chosen = body.token === undefined ? undefined : await requireStrongValue(body.token)
  const value = chosen ?? mintCredential('api_token', user.id).value
  const fields = {
    hash: hashCredential(value),
    userId: user.id,
    name: body.name,
    isChosen: chosen !== undefined,
    createdAt: now(),
  }
  const { id, name } = await createStoredToken(table, fields, apiTokensPerUser, (id) => [
    auditStep(context, 'api_token.created', { user: user.id, target: String(id) }),
    ...buildSecurityNoticeStep(services, context, user, { kind: 'api_token_created' }),
  ])
  return {
    status: 201,
    headers: { location: `/api/2/api-tokens/${id}` },
    body: { id, token: value, name },
  }
}

const requireStrongValue = async (value: string): Promise<string> => {
  if (hasCredentialPrefix(value))
    throw invalidRequest([
      { field: 'token', message: 'must not start with a credential prefix of this service' },
    ])
  if ((await estimateTokenBits(value)) < customTokenEntropyBits)
    throw invalidRequest([
      {
        field: 'token',
        message: `is too easy to guess. Use ${customTokenEntropyBits} random bits or omit this field`,
      },
    ])
  return value
}
