import { createHmac, randomBytes } from 'node:crypto'
import { errors } from 'oidc-provider'
import { refreshRepetitionMs } from '../../../kernel/limits/limits.ts'
import { buildClientUseSteps } from '../client-access.records.ts'
import { describeClientUse } from '../grants.ts'
import {
  findOAuthToken,
  type OAuthTokenRecord,
  storeOAuthRefreshToken,
  useOAuthToken,
} from '../tokens.records.ts'
import { findOneTimeToken, type ModelAdapter, refuseUsedToken, toStoredPayload } from './one-time-tokens.ts'
import { getRun } from './run.ts'

/*
 * Each refresh token of a public client is used once (RFC 9700 2.2.2). Its client may never get the answer, and repeats the
 * request. So the next token follows from the used one and a salt: only its holder and this service together can compute
 * it, and a repetition gets the same answer. Confidential clients prove who they are, so their token stays.
 */

const deriveNext = (value: string, salt: string): string =>
  createHmac('sha256', value).update(salt).digest('base64url')

const isRecent = ({ usedAt = 0 }: Pick<OAuthTokenRecord, 'usedAt'>, nowMs: number): boolean =>
  nowMs - usedAt < refreshRepetitionMs

/** Whether the next token is still unused, so that no one needed this one any more. Notes the next token if so. */
const isRepetition = async (value: string, token: OAuthTokenRecord): Promise<boolean> => {
  const run = getRun()
  const { table, now } = run.services
  if (token.salt === undefined || !isRecent(token, now())) return false
  const next = deriveNext(value, token.salt)
  const found = await findOAuthToken(table, 'refresh_token', next)
  if (found?.usedAt !== undefined) return false
  run.nextRefreshToken = next
  return true
}

export const refreshTokens: ModelAdapter = {
  find: (value) => findOneTimeToken('refresh_token', value, (token) => isRepetition(value, token)),
  consume: async (value) => {
    const run = getRun()
    if (run.nextRefreshToken !== undefined) return
    const { table, now } = run.services
    const salt = randomBytes(24).toString('base64url')
    if (await useOAuthToken(table, 'refresh_token', value, { usedAt: now(), salt })) {
      run.nextRefreshToken = deriveNext(value, salt)
      return
    }
    const used = await findOAuthToken(table, 'refresh_token', value)
    if (!used || !(await isRepetition(value, used))) await refuseUsedToken(run, 'refresh_token')
  },
  upsert: async (value, payload) => {
    const run = getRun()
    const { services, client, grant, subject } = run
    const { table } = services
    if (!client || !grant || !subject) throw new Error('A refresh token without a grant was issued.')
    const { jti: _, ...stored } = toStoredPayload(payload)
    const token = { grantId: grant.id, payload: stored, expiresAt: grant.expiresAt }
    const useSteps = buildClientUseSteps(subject.session, describeClientUse(services, grant, client))
    if (await storeOAuthRefreshToken(table, value, token, useSteps)) return
    // A repetition finds the token that the first request stored.
    const existing = await findOAuthToken(table, 'refresh_token', value)
    if (!existing) throw new errors.InvalidGrant('the grant has ended')
    if (existing.usedAt !== undefined) await refuseUsedToken(run, 'refresh_token')
  },
}

/** Whether the next token takes the place of a refresh token. If not, notes the use of the client. */
export const rotatesRefreshToken = async (): Promise<boolean> => {
  const { services, client, grant, subject } = getRun()
  if (client?.type !== 'confidential') return true
  if (!grant || !subject) throw new Error('A refresh token without a grant was used.')
  const orElse = () => new errors.InvalidGrant('the access has ended')
  const steps = buildClientUseSteps(subject.session, {
    ...describeClientUse(services, grant, client),
    orElse,
  })
  if (steps.length > 0) await services.table.transact(steps)
  return false
}
