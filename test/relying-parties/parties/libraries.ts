import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { CodeChallengeMethod, generateCodeVerifier, generateState, OAuth2Client } from 'arctic'
import express from 'express'
import openIdConnect from 'express-openid-connect'
import session from 'express-session'
import * as oauth from 'oauth4webapi'
import passport from 'passport'
import { Strategy } from 'passport-openidconnect'
import type { Browse, Registration } from './registration.ts'

/* The few lines that each library needs. `docs/libraries.md` shows the same. */

export const listen = async (
  app: express.Express,
  { baseUrl }: Registration,
): Promise<() => Promise<void>> => {
  const server = createServer(app)
  await new Promise<void>((done) => server.listen(Number(new URL(baseUrl).port), '127.0.0.1', done))
  return async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
}

export const buildPassportApp = ({ issuer, clientId, clientSecret, baseUrl }: Registration) => {
  const app = express()
  app.use(session({ secret: randomBytes(32).toString('hex'), resave: false, saveUninitialized: false }))
  app.use(passport.session())
  passport.serializeUser((user, done) => done(null, user))
  passport.deserializeUser((user: Express.User, done) => done(null, user))
  passport.use(
    new Strategy(
      {
        issuer,
        authorizationURL: `${issuer}/oauth2/authorize`,
        tokenURL: `${issuer}/oauth2/token`,
        userInfoURL: `${issuer}/oauth2/userinfo`,
        clientID: clientId,
        clientSecret,
        callbackURL: `${baseUrl}/callback`,
        scope: ['profile'],
        // Any text turns it on. The library has no PKCE, so the nonce is required.
        nonce: 'required',
      },
      (_issuer: string, profile: object, done: (error: null, user: object) => void) => done(null, profile),
    ),
  )
  app.get('/login', passport.authenticate('openidconnect'))
  app.get('/callback', passport.authenticate('openidconnect', { successRedirect: '/' }))
  app.get('/', (request, response) => void response.send(`sub=${(request.user as { id?: string })?.id}`))
  return app
}

export const buildExpressOpenIdConnectApp = ({ issuer, clientId, clientSecret, baseUrl }: Registration) => {
  const app = express()
  app.use(
    openIdConnect.auth({
      issuerBaseURL: issuer,
      baseURL: baseUrl,
      clientID: clientId,
      clientSecret,
      secret: randomBytes(32).toString('hex'),
      authRequired: true,
      authorizationParams: { response_type: 'code', scope: 'openid profile' },
    }),
  )
  app.get('/', (request, response) => void response.send(`sub=${request.oidc.user?.['sub']}`))
  return app
}

export const signInWithArctic = async (
  { issuer, clientId, clientSecret, baseUrl }: Registration,
  browse: Browse,
) => {
  const client = new OAuth2Client(clientId, clientSecret, `${baseUrl}/callback`)
  const [state, verifier] = [generateState(), generateCodeVerifier()]
  const url = client.createAuthorizationURLWithPKCE(
    `${issuer}/oauth2/authorize`,
    state,
    CodeChallengeMethod.S256,
    verifier,
    ['openid', 'profile'],
  )
  const answer = await browse(url)
  if (answer.searchParams.get('state') !== state) throw new Error('The state is wrong.')
  const code = answer.searchParams.get('code') ?? ''
  const tokens = await client.validateAuthorizationCode(`${issuer}/oauth2/token`, code, verifier)
  return fetch(`${issuer}/oauth2/userinfo`, {
    headers: { authorization: `Bearer ${tokens.accessToken()}` },
  }).then(async (response) => String(((await response.json()) as { sub?: string }).sub))
}

export const signInWithOauth4webapi = async (
  { issuer, clientId, clientSecret, baseUrl }: Registration,
  browse: Browse,
) => {
  // Local mode uses http.
  const local = { [oauth.allowInsecureRequests]: true }
  const server = await oauth
    .discoveryRequest(new URL(issuer), local)
    .then((response) => oauth.processDiscoveryResponse(new URL(issuer), response))
  const client: oauth.Client = { client_id: clientId }
  const verifier = oauth.generateRandomCodeVerifier()
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()]
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = String(
    new URLSearchParams({
      ...{ client_id: clientId, redirect_uri: `${baseUrl}/callback`, response_type: 'code', scope: 'openid' },
      ...{ state, nonce, code_challenge_method: 'S256' },
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    }),
  )
  const parameters = oauth.validateAuthResponse(server, client, await browse(url), state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.ClientSecretBasic(clientSecret),
    parameters,
    `${baseUrl}/callback`,
    verifier,
    local,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  return String(oauth.getValidatedIdTokenClaims(tokens)?.sub)
}
