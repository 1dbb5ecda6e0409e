import { Hono } from 'hono'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { SessionStore } from './session-store.ts'
import type { Settings } from './settings.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'

/** Ends sessions when Latchkey says so (OpenID Connect Back-Channel Logout 1.0). */
export const createBackchannelRoute = (settings: Settings, sessions: SessionStore): Hono => {
  const { latchkeyUrl, credentials } = settings
  const keys = createRemoteJWKSet(new URL(`${latchkeyUrl}/.well-known/jwks.json`))
  return new Hono().post('/backchannel-logout', async (c) => {
    const { logout_token: token } = await c.req.parseBody()
    const { payload } = await jwtVerify(String(token), keys, {
      issuer: latchkeyUrl,
      audience: credentials.clientId,
      algorithms: ['RS256'],
      typ: 'logout+jwt',
      maxTokenAge: '5 minutes',
      requiredClaims: ['jti', 'events', 'sid'],
    }).catch(() => ({ payload: undefined }))
    const events = payload?.['events'] as Readonly<Record<string, unknown>> | undefined
    const isLogout = typeof events?.[event] === 'object' && payload?.['nonce'] === undefined
    if (!isLogout) return c.json({ error: 'invalid_request' }, 400)
    await sessions.removeBySid(String(payload?.['sid']))
    return c.body(null, 200, { 'cache-control': 'no-store' })
  })
}
