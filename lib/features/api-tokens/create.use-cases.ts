import { getEffectivePermissions, sortPermissions } from '../../accounts/callers/permissions.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { UseCase } from '../../http/use-case.ts'
import { scopes as serviceScopes } from '../../kernel/contract/scopes.ts'
import { withoutPadding } from '../../kernel/contract/text-rules.ts'
import { ConflictError, invalidRequest } from '../../kernel/errors/errors.ts'
import { apiTokensPerUser, customTokenEntropyBits } from '../../kernel/limits/limits.ts'
import { strengthCharacters } from '../../kernel/limits/password-limits.ts'
import { hasCredentialPrefix, hashCredential, mintCredential } from '../../kernel/secrets/credentials.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { publishedClientPermissions } from '../../published-clients/permissions.ts'
import type { Services } from '../../services.ts'
import { listProtectedApis } from '../oauth/protected-apis.records.ts'
import { estimateStrength } from '../passwords/strength.ts'
import { describeNewToken } from './audit-fields.ts'
import { requireFutureExpiry } from './expiry.ts'
import type { apiTokens } from './operations.ts'
import {
  createApiToken as createStoredToken,
  deleteApiToken,
  findApiTokens,
  hasApiTokenExpired,
} from './records.ts'
import { toTokenBody } from './stored-token.ts'

/** Creates an API token with a random value or one that the caller chose. Only this response contains the value. */
export const createApiToken: UseCase<typeof apiTokens.createApiToken> = async (
  { body, principal: { user }, context },
  services,
) => {
  const now = services.now()
  const scopes = await requireKnownScopes(services, user, body.scopes)
  const expiresAt = requireFutureExpiry(body.expires, now)
  const chosen = body.token === undefined ? undefined : await requireStrongValue(body.token)
  const value = chosen ?? mintCredential('api_token', user.id, context.presetRandom).value
  const fields = {
    hash: hashCredential(value),
    userId: user.id,
    name: body.name,
    isChosen: chosen !== undefined,
    createdAt: now,
    scopes,
    ...omitUndefined({ expiresAt }),
  }
  const token = await replacingExpired(services, user.id, context, () =>
    createStoredToken(services.table, fields, {
      limit: apiTokensPerUser,
      credentialEpoch: user.credentialEpoch,
      extraSteps: (id) => [
        auditStep(context, 'api_token.created', {
          user: user.id,
          target: String(id),
          ...describeNewToken(fields),
        }),
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

/**
 * Returns the scopes of a new API token, sorted and without duplicates. Besides the scopes of this service, these are
 * known: the permissions of known products and registered APIs, and every other permission that the owner holds.
 *
 * @throws AppError `invalid_request` that lists the known scopes, if one is unknown
 */
export const requireKnownScopes = async (
  { table }: Services,
  owner: UserRecord,
  given: readonly string[] | null | undefined,
): Promise<readonly string[] | null> => {
  if (!given) return null
  const held = [
    ...Object.keys(serviceScopes),
    ...publishedClientPermissions,
    ...(await getEffectivePermissions(table, owner)),
  ]
  if (given.every((scope) => held.includes(scope))) return sortPermissions(given)
  const apis = await listProtectedApis(table)
  const known = sortPermissions([
    ...held,
    ...apis.flatMap(({ permissions }) => permissions.map(({ name }) => name)),
  ])
  if (given.some((scope) => !known.includes(scope)))
    throw invalidRequest([
      { field: 'scopes', message: `contains an unknown scope. Known scopes: ${known.join(', ')}` },
    ])
  return sortPermissions(given)
}

/**
 * Creates a token. If the user has as many tokens as allowed, the expired ones are deleted first: they are still listed,
 * but must not keep their owner from creating a new one.
 */
const replacingExpired = async <Token>(
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

/** Deletes the expired tokens of a user. Returns whether there were any. */
export const deleteExpired = async (
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

/**
 * Estimates the entropy of a custom API token in bits. zxcvbn finds words, names, dates, sequences and repetitions, and
 * counts ten guesses for each character that it cannot explain. In a value without such patterns, each character counts
 * with the size of its alphabet instead. Padding counts for nothing.
 */
const estimateTokenBits = async (token: string): Promise<number> => {
  const value = withoutPadding(token)
  const length = Math.min(value.length, strengthCharacters)
  const { entropyBits } = await estimateStrength(value)
  const leastShare = /^[\da-f]+$/i.test(value) ? leastRandomShare.hexadecimal : leastRandomShare.other
  const isRandom = entropyBits >= leastShare * length * Math.log2(10)
  return isRandom ? countBitsPerCharacter(value) * length : entropyBits
}

/**
 * The share of a random value that zxcvbn cannot explain. Random text also contains a short word or date now and then. In
 * measurements this cost hexadecimal text up to an eighth, because it has many digits, and other text a fifteenth.
 */
const leastRandomShare = { hexadecimal: 0.8, other: 0.9 } as const

const alphabets = [
  { pattern: /^\d+$/, size: 10 },
  { pattern: /^[\da-f]+$/i, size: 16 },
  { pattern: /^[a-z]+$|^[A-Z]+$/, size: 26 },
  { pattern: /^[\da-z]+$|^[\dA-Z]+$/, size: 36 },
]

/** The bits of one character of the smallest common alphabet that contains the value. */
const countBitsPerCharacter = (value: string): number =>
  Math.log2(alphabets.find(({ pattern }) => pattern.test(value))?.size ?? 64)
