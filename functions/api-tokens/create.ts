import { auditStep } from '../../lib/accounts/common/request-context.ts'
import { estimateTokenBits } from '../../lib/accounts/sign-in/custom-token.ts'
import type { apiTokens } from '../../lib/contract/operations/api-tokens.ts'
import { invalidRequest } from '../../lib/core/errors.ts'
import { apiTokensPerUser, customTokenEntropyBits } from '../../lib/core/limits.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { hasCredentialPrefix, hashCredential, mintCredential } from '../../lib/secrets/credentials.ts'
import { createApiToken as createStoredToken } from '../../lib/store/sign-in/api-tokens.ts'

/** Makes an API token, of a value of ours or of one that the caller chose. The value is in this one answer alone. */
export const createApiToken: UseCase<typeof apiTokens.createApiToken> = async (
  { body, principal: { user }, context },
  { table, now },
) => {
  const chosen = body.token === undefined ? undefined : await requireGoodValue(body.token)
  const value = chosen ?? mintCredential('api_token', user.id).value
  const record = (id: number) =>
    auditStep(context, 'api_token.created', { user: user.id, target: String(id) })
  const fields = {
    hash: hashCredential(value),
    userId: user.id,
    name: body.name,
    isChosen: chosen !== undefined,
    createdAt: now(),
  }
  const { id, name } = await createStoredToken(table, fields, apiTokensPerUser, (id) => [record(id)])
  return {
    status: 201,
    headers: { location: `/api/2/api-tokens/${id}` },
    body: { id, token: value, name },
  }
}

const requireGoodValue = async (value: string): Promise<string> => {
  if (hasCredentialPrefix(value))
    throw invalidRequest([{ field: 'token', message: 'must not begin like a credential of this service' }])
  if ((await estimateTokenBits(value)) < customTokenEntropyBits)
    throw invalidRequest([
      {
        field: 'token',
        message: `is too easy to guess: use ${customTokenEntropyBits} random bits, or leave it out`,
      },
    ])
  return value
}
