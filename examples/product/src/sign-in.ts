import { Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import * as openid from 'openid-client'
import type { Environment } from './environment.ts'
import type { SessionCookie } from './session-cookie.ts'
import type { Settings } from './settings.ts'

/** Reads the metadata of Latchkey when the first user signs in, and again after a failure. */
const createDiscovery = ({ latchkeyUrl, credentials }: Settings): (() => Promise<openid.Configuration>) => {
  let discovered: Promise<openid.Configuration> | undefined
  const execute = latchkeyUrl.startsWith('http:') ? [openid.allowInsecureRequests] : []
  return () => {
    discovered ??= openid
      .discovery(new URL(latchkeyUrl), credentials.clientId, credentials.clientSecret, undefined, { execute })
      .catch((error: unknown) => {
        discovered = undefined
        throw error
      })
    return discovered
  }
}

const flowCookie = 'sign-in'

/** Signs users in and out by OpenID Connect: authorization code with PKCE. */
export const createSignInRoutes = (settings: Settings, cookie: SessionCookie): Hono<Environment> => {
  const { origin } = settings
  const discover = createDiscovery(settings)
  const secure = origin.startsWith('https:')
  const app = new Hono<Environment>()

  app.get('/login', async (c) => {
    const config = await discover()
    const state = openid.randomState()
    const nonce = openid.randomNonce()
    const verifier = openid.randomPKCECodeVerifier()
    const flow = { path: '/callback', httpOnly: true, sameSite: 'Lax', secure, maxAge: 600 } as const
    // These values tie the answer to this browser: a link with the code of someone else signs no one in.
    setCookie(c, flowCookie, [state, nonce, verifier].join('.'), flow)
    const url = openid.buildAuthorizationUrl(config, {
      redirect_uri: `${origin}/callback`,
      // A user with several companies chooses one, also to switch.
      scope: 'openid profile permissions organization',
      resource: origin,
      state,
      nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    return c.redirect(url.href)
  })

  app.get('/callback', async (c) => {
    const [state = '', nonce = '', verifier = ''] = (getCookie(c, flowCookie) ?? '').split('.')
    deleteCookie(c, flowCookie, { path: '/callback' })
    if (!state) return c.redirect('/?problem=expired')
    const current = new URL(`${origin}/callback${new URL(c.req.url).search}`)
    const tokens = await openid
      .authorizationCodeGrant(await discover(), current, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      .catch((error: unknown) => {
        console.error(error)
        return undefined
      })
    const claims = tokens?.claims()
    if (!tokens || !claims) return c.redirect('/?problem=refused')
    await cookie.start(c, {
      name: String(claims['name'] ?? claims['preferred_username']),
      accessToken: tokens.access_token,
      idToken: tokens.id_token ?? '',
      sid: String(claims['sid']),
      expiresAt: Math.floor(Date.now() / 1000) + (tokens.expires_in ?? 0),
    })
    return c.redirect('/')
  })

  app.post('/logout', async (c) => {
    const { idToken } = c.get('session') ?? {}
    await cookie.end(c)
    if (!idToken) return c.redirect('/', 303)
    const url = openid.buildEndSessionUrl(await discover(), {
      id_token_hint: idToken,
      post_logout_redirect_uri: `${origin}/`,
    })
    return c.redirect(url.href, 303)
  })
  return app
}
