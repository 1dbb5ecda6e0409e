import { createHmac, randomBytes } from 'node:crypto'
import { type AdapterPayload, errors } from 'oidc-provider'
import { refreshRepetitionMs } from '../../../kernel/limits/limits.ts'
import type { Step } from '../../../kernel/table/transaction.ts'
import { buildClientUseSteps } from '../client-access.records.ts'
import { createBranchId, type OAuthGrantRecord } from '../grants.records.ts'
import { describeClientUse } from '../grants.ts'
import {
  findOAuthToken,
  type OAuthTokenRecord,
  storeOAuthRefreshToken,
  useOAuthToken,
} from '../tokens.records.ts'
import { findOneTimeToken, type ModelAdapter, refuseUsedToken, toStoredPayload } from './one-time-tokens.ts'
import { getRun, type ProviderRun } from './run.ts'
import { buildBranchSteps, switchOrganization } from './switch-organization.ts'

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

const useToken = async (run: ProviderRun, value: string): Promise<void> => {
  if (run.nextRefreshToken !== undefined) return
  const { table, now } = run.services
  const salt = randomBytes(24).toString('base64url')
  if (await useOAuthToken(table, 'refresh_token', value, { usedAt: now(), salt })) {
    run.nextRefreshToken = deriveNext(value, salt)
    return
  }
  const used = await findOAuthToken(table, 'refresh_token', value)
  if (!used || !(await isRepetition(value, used))) await refuseUsedToken(run, 'refresh_token')
}

export const refreshTokens: ModelAdapter = {
  find: (value) => findOneTimeToken('refresh_token', value, (token) => isRepetition(value, token)),
  consume: async (value) => {
    const run = getRun()
    // The token of a confidential client stays, also for the grant before.
    if (run.client?.type === 'confidential') return
    await useToken(run, value)
    if (run.formerGrant) startBranch(run)
  },
  upsert: async (value, payload) => {
    const run = getRun()
    const { formerGrant, formerRefreshToken } = run
    if (formerGrant && formerRefreshToken !== undefined)
      await storeToken(run, formerGrant, formerRefreshToken, payload, [])
    const steps = formerGrant ? buildBranchSteps(run) : []
    await storeToken(run, run.grant, value, payload, steps)
  },
}

const storeToken = async (
  run: ProviderRun,
  grant: OAuthGrantRecord | undefined,
  value: string,
  payload: AdapterPayload,
  steps: readonly Step[],
): Promise<void> => {
  const { services, client, subject, formerGrant } = run
  const { table } = services
  if (!client || !grant || !subject) throw new Error('A refresh token without a grant was issued.')
  const { jti: _, ...stored } = toStoredPayload(payload)
  const token = { grantId: grant.id, payload: { ...stored, grantId: grant.id }, expiresAt: grant.expiresAt }
  const useSteps = buildClientUseSteps(subject.session, describeClientUse(services, grant, client))
  // A grant for another organization is stored in the same write, and depends on the one before until then.
  const needed = steps.length > 0 && formerGrant ? formerGrant.id : grant.id
  if (await storeOAuthRefreshToken(table, value, token, [...steps, ...useSteps], needed)) return
  // A repetition finds the token that the first request stored.
  const existing = await findOAuthToken(table, 'refresh_token', value)
  if (!existing) throw new errors.InvalidGrant('the grant has ended')
  if (existing.usedAt !== undefined) await refuseUsedToken(run, 'refresh_token')
}

/**
 * The names of the new grant and its refresh token. They follow from the next token of the grant before, so that a repetition gets the
 * same, and only who used that token knows them.
 */
const startBranch = (run: ProviderRun): void => {
  const { grant, formerGrant, nextRefreshToken } = run
  if (!grant || !formerGrant || nextRefreshToken === undefined) throw new Error('No refresh token was used.')
  const branch = deriveNext(nextRefreshToken, `organization ${grant.organizationId} ${grant.joining}`)
  run.formerRefreshToken = nextRefreshToken
  run.nextRefreshToken = branch
  run.grant = { ...grant, id: createBranchId(formerGrant, deriveNext(branch, 'grant')) }
}

/** Whether the next token takes the place of a refresh token. If not, notes the use of the client. */
export const rotatesRefreshToken = async (): Promise<boolean> => {
  const { services, client, grant, subject } = getRun()
  if (await switchOrganization(getRun())) return true
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
