import { errors } from 'oidc-provider'
import type { SessionPrincipal } from '../../accounts/common/principal.ts'
import { auditStep } from '../../accounts/common/request-context.ts'
import type { Services } from '../../services.ts'
import { noteSessionClient } from '../../store/oidc/session-clients.ts'
import {
  findOidcToken,
  type OidcTokenKind,
  storeOidcCode,
  storeOidcRefreshToken,
  useOidcToken,
} from '../../store/oidc/tokens.ts'
import { type ModelAdapter, toStoredPayload } from './adapter-types.ts'
import { endReusedGrant, nameClientTarget } from './reuse.ts'
import { getRun } from './run.ts'

/** What codes and refresh tokens have in common. Each is used once, and a second use ends the grant with all its tokens. */
const oneTime = (kind: OidcTokenKind): ModelAdapter => ({
  find: async (value) => {
    const run = getRun()
    const found = await findOidcToken(run.services.table, kind, value)
    if (!found) return undefined
    const { payload, usedAt } = found
    if (typeof payload['resource'] === 'string') run.resource = payload['resource']
    return {
      ...payload,
      jti: value,
      ...(usedAt === undefined ? {} : { consumed: Math.floor(usedAt / 1000) }),
    }
  },
  consume: async (value) => {
    const run = getRun()
    const { table, now } = run.services
    if (await useOidcToken(table, kind, value, now())) return
    // Another request used it between the read and this write.
    if (run.grant) await endReusedGrant(run, run.grant.id)
    throw new errors.InvalidGrant(`${kind} already used`)
  },
})

export const codes: ModelAdapter = {
  ...oneTime('code'),
  upsert: async (value, payload, expiresIn = 0) => {
    const { services, grant, principal, context } = getRun()
    if (!grant || !principal || !context) throw new Error('A code without a grant was issued.')
    await noteClient(services, principal, grant.clientId)
    const { jti: _, ...stored } = toStoredPayload({ ...payload, sid: grant.sid })
    const expiresAt = services.now() + expiresIn * 1000
    const token = { grantId: grant.id, payload: stored, expiresAt }
    const target = nameClientTarget(grant)
    const audit = auditStep(context, 'oidc_client.authorized', { user: grant.userId, target })
    await storeOidcCode(services.table, value, token, grant, [audit])
  },
}

export const refreshTokens: ModelAdapter = {
  ...oneTime('refresh_token'),
  upsert: async (value, payload) => {
    const { services, grant } = getRun()
    if (!grant) throw new Error('A refresh token without a grant was issued.')
    const { jti: _, ...stored } = toStoredPayload(payload)
    const token = { grantId: grant.id, payload: stored, expiresAt: grant.expiresAt }
    if (!(await storeOidcRefreshToken(services.table, value, token)))
      throw new errors.InvalidGrant('the grant has ended')
  },
}

/** Lets the client learn when the session ends. */
const noteClient = async (
  { table }: Services,
  { session, user, actor }: SessionPrincipal,
  clientId: string,
): Promise<void> => {
  const client = { clientId, subject: user.id }
  const outcome = await noteSessionClient(table, { session, owner: actor ?? user }, client)
  if (outcome === 'ended') throw new errors.LoginRequired('the session has ended')
  if (outcome === 'full') throw new errors.AccessDenied('the session has too many clients')
}
