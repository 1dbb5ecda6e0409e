import { decodeJwt } from 'jose'
import { describe, expect, it } from 'vitest'
import { addRelyingParty, getTokens } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* Administrators see what an app would learn about them, and get nothing that the app accepts. */

const service = await useService()
const admin = await addSignedIn(service, {
  permissions: ['system:admin-access'],
  full_name: 'Ada Lovelace',
  email: 'ada@example.com',
})
const scopes = ['openid', 'profile', 'email', 'groups', 'attributes'] as const
const shop = await addRelyingParty(service, { scopes })
const preview = (bearer: string, id: number | string = shop.client.id) =>
  service.client('GET', `/api/2/oidc-clients/${id}/claims`, { bearer })
interface Claim {
  readonly name: string
  readonly value: string
  readonly in_id_token: boolean
  readonly in_userinfo: boolean
}
const select = (claims: readonly Claim[], place: 'in_id_token' | 'in_userinfo') =>
  Object.fromEntries(claims.filter((one) => one[place]).map(({ name, value }) => [name, JSON.parse(value)]))

describe('the preview of the claims of an app', () => {
  it('shows what the ID token and userinfo of the same user state', async () => {
    const { status, body } = await preview(admin.bearer)
    expect(status).toBe(200)
    const tokens = await getTokens(service, shop, admin.bearer, { scope: scopes.join(' ') })
    const {
      iss: _,
      aud: _a,
      exp: _e,
      iat: _i,
      nonce: _n,
      at_hash: _h,
      sid: _s,
      ...stated
    } = decodeJwt(tokens.id_token)
    expect(select(body.claims, 'in_id_token')).toEqual(stated)
    const userinfo = await service.client('GET', '/oauth2/userinfo', { bearer: tokens.access_token })
    expect(select(body.claims, 'in_userinfo')).toEqual(userinfo.body)
  })

  it('contains no token, code or identifier of the session', async () => {
    const { body, text } = await preview(admin.bearer)
    expect(body.claims.map(({ name }: Claim) => name)).not.toContain('sid')
    expect(text).not.toMatch(/eyJ|lk[a-z]_/)
  })

  it('is for administrators in a session of their own', async () => {
    const [manager, token] = [
      await addSignedIn(service, { permissions: ['users:manage'] }),
      await service.client('POST', '/api/2/api-tokens', {
        bearer: admin.bearer,
        body: { name: 'all', scopes: ['oidc-clients:view'] },
      }),
    ]
    expect((await preview(manager.bearer)).status).toBe(403)
    expect(token.body.token).toBeDefined()
    expect((await preview(token.body.token)).status).toBe(403)
    expect((await service.client('GET', `/api/2/oidc-clients/${shop.client.id}/claims`)).status).toBe(401)
    expect((await preview(admin.bearer, 9_999_999)).status).toBe(404)
    expect((await preview(admin.bearer, '__proto__')).status).toBe(400)
    const other = await addSignedIn(service)
    const body = { user: other.user.id }
    const started = await service.client('POST', '/api/2/auth/impersonation', { bearer: admin.bearer, body })
    expect(started.status).toBeLessThan(300)
    expect((await preview(admin.bearer)).status).toBe(403)
  })
})
