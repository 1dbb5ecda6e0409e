import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { buildSecurityNoticeStep } from '../../lib/accounts/common/security-notices.ts'
import { estimateTokenBits } from '../../lib/accounts/sign-in/custom-token.ts'
import type { apiTokens } from '../../lib/contract/operations/api-tokens.ts'
import { invalidRequest } from '../../lib/errors/errors.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { apiTokensPerUser, customTokenEntropyBits } from '../../lib/limits/limits.ts'
import { hasCredentialPrefix, hashCredential, mintCredential } from '../../lib/secrets/credentials.ts'
import { createApiToken as createStoredToken } from '../../lib/store/sign-in/api-tokens.ts'
import { omitUndefined } from '../../lib/util/omit-undefined.ts'
import { replacingExpired } from './expired-tokens.ts'
import { toTokenBody } from './stored-token.ts'
import { requireKnownScopes } from './token-scopes.ts'

/** Creates an API token with a random value or one that the caller chose. Only this response contains the value. */
export const createApiToken: UseCase<typeof apiTokens.createApiToken> = async (
  { body, principal: { user }, context },
  services,
) => {
  const now = services.now()
  const scopes = await requireKnownScopes(services, user, body.scopes)
  const expiresAt = requireFutureExpiry(body.expires, now)
  const chosen = body.token === undefined ? undefined : await requireStrongValue(body.token)
  const value = chosen ?? mintCredential('api_token', user.id).value
  const fields = {
    hash: hashCredential(value),
    userId: user.id,
    name: body.name,
    isChosen: chosen !== undefined,
    createdAt: now,
    ...omitUndefined({ scopes, expiresAt }),
  }
  const token = await replacingExpired(services, user.id, context, () =>
    createStoredToken(services.table, fields, {
      limit: apiTokensPerUser,
      credentialEpoch: user.credentialEpoch,
      extraSteps: (id) => [
        auditStep(context, 'api_token.created', { user: user.id, target: String(id) }),
        ...buildSecurityNoticeStep(services, context, user, { kind: 'api_token_created' }),
      ],
    }),
  )
  const { id, ...rest } = toTokenBody(token)
  return {
    status: 201,
    headers: { location: `/api/2/api-tokens/${id}` },
    body: { id, token: value, ...rest },
  }
}

const requireFutureExpiry = (expires: string | null | undefined, nowMs: number): number | undefined => {
  if (!expires) return undefined
  const at = Date.parse(expires)
  if (at <= nowMs) throw invalidRequest([{ field: 'expires', message: 'must be in the future' }])
  return at
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
