import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import type { BoundFindings, Findings, Given, OrganizationFindings } from './journey.ts'

/** Signs a user in with `openid-client`, uses every endpoint, and signs them out. */
export const runJourney = async (given: Given): Promise<Findings> => {
  const { issuer, clientId, clientSecret, redirectUri, signedOutUrl, browse, endSessions } = given
  // Local mode uses http.
  const options = { execute: [client.allowInsecureRequests] }
  const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, options)
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()]
  const authorizationUrl = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid profile email permissions offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
    prompt: 'consent',
  })
  const tokens = await client.authorizationCodeGrant(config, await browse(authorizationUrl), {
    pkceCodeVerifier,
    expectedState,
    expectedNonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  const userinfo = await client.fetchUserInfo(config, refreshed.access_token, claims?.sub ?? '')
  const keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri ?? ''))
  const verified = await jwtVerify(refreshed.access_token, keys, {
    issuer,
    audience: `${issuer}/oauth2/userinfo`,
    typ: 'at+jwt',
  })
  const isActive = async (token: string) => (await client.tokenIntrospection(config, token)).active
  const before = await isActive(refreshed.access_token)
  await client.tokenRevocation(config, refreshed.refresh_token ?? '')
  const refreshAfterRevocation = await fails(client.refreshTokenGrant(config, refreshed.refresh_token ?? ''))
  const endSessionUrl = client.buildEndSessionUrl(config, {
    id_token_hint: refreshed.id_token ?? tokens.id_token ?? '',
    post_logout_redirect_uri: signedOutUrl,
    state: 'signed out',
  })
  const leftTo = await browse(endSessionUrl)
  await endSessions()
  return {
    claims: { sub: claims?.sub, hasSid: typeof claims?.['sid'] === 'string', amr: claims?.['amr'] },
    userinfo: { sub: userinfo.sub, username: userinfo.preferred_username, email: userinfo.email },
    accessToken: { sub: verified.payload.sub, clientId: verified.payload['client_id'] },
    wasActive: before,
    isActiveAfterwards: await isActive(refreshed.access_token),
    refreshAfterRevocation,
    leftTo: leftTo.href,
  }
}

/** The error that a request ends with. */
const fails = (request: Promise<unknown>): Promise<string> =>
  request.then(
    () => 'succeeded',
    (error: unknown) => {
      if (error instanceof client.ResponseBodyError) return error.error
      if (error instanceof client.WWWAuthenticateChallengeError)
        return error.cause.map(({ scheme, parameters }) => `${scheme} ${parameters.error}`).join()
      return String(error)
    },
  )

/** Signs a user in with a pushed request, and uses tokens that are bound to a key. */
export const runBoundJourney = async ({
  issuer,
  clientId,
  clientSecret,
  redirectUri,
  browse,
}: Given): Promise<BoundFindings> => {
  const options = { execute: [client.allowInsecureRequests] }
  const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, options)
  const createHandle = async () => client.getDPoPHandle(config, await client.randomDPoPKeyPair())
  const [owner, thief] = [await createHandle(), await createHandle()]
  const pkceCodeVerifier = client.randomPKCECodeVerifier()
  const expectedState = client.randomState()
  const parameters = {
    redirect_uri: redirectUri,
    scope: 'openid profile offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  }
  const refused = await browse(client.buildAuthorizationUrl(config, parameters))
  const pushed = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP: owner })
  const checks = { pkceCodeVerifier, expectedState, idTokenExpected: true }
  const code = await browse(pushed)
  const tokens = await client.authorizationCodeGrant(config, code, checks, undefined, { DPoP: owner })
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, {
    DPoP: owner,
  })
  const subject = tokens.claims()?.sub
  const show = (DPoP?: client.DPoPHandle) =>
    client.fetchUserInfo(config, refreshed.access_token, subject ?? '', DPoP && { DPoP })
  return {
    brought: [...pushed.searchParams.keys()].sort(),
    tokenType: tokens.token_type,
    subject,
    userinfo: [await fails(show(owner)), await fails(show()), await fails(show(thief))],
    notPushed: refused.searchParams.get('error'),
  }
}

/** Signs a user in for an organization, and goes on to another one with the refresh token. */
export const runOrganizationJourney = async (
  { issuer, clientId, clientSecret, redirectUri, browse }: Given,
  [first, second, foreign]: readonly [string, string, string],
): Promise<OrganizationFindings> => {
  const options = { execute: [client.allowInsecureRequests] }
  const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, options)
  const keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri ?? ''))
  const signIn = async (organization: string) => {
    const pkceCodeVerifier = client.randomPKCECodeVerifier()
    const expectedState = client.randomState()
    const answer = await browse(
      client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid profile offline_access',
        organization,
        code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
      }),
    )
    return client.authorizationCodeGrant(config, answer, { pkceCodeVerifier, expectedState })
  }
  const describe = (claims: Readonly<Record<string, unknown>> = {}) => [
    claims['org_id'],
    claims['org_slug'],
    claims['org_roles'],
  ]
  const read = async ({ access_token }: { readonly access_token: string }) =>
    describe(
      (await client.fetchUserInfo(config, access_token, client.skipSubjectCheck)) as Record<string, unknown>,
    )
  const tokens = await signIn(first)
  const token = tokens.refresh_token ?? ''
  const refresh = (organization?: string) =>
    client.refreshTokenGrant(config, token, organization === undefined ? undefined : { organization })
  const other = await refresh(second)
  const verified = await jwtVerify(other.access_token, keys, { issuer, typ: 'at+jwt' })
  return {
    claims: [describe(tokens.claims()), await read(other)],
    stillFor: [await read(await refresh()), verified.payload.sub === tokens.claims()?.sub],
    refused: [
      await signIn(foreign).catch((error: { error?: string }) => error.error ?? error),
      await fails(refresh(foreign)),
    ],
  }
}
