import { createHash, randomBytes } from 'node:crypto'

/* A product with one page. It signs people in at Latchkey with OpenID Connect, and keeps no session: add one for your own pages. */

const clientId = 'web'
const issuer = process.env.ISSUER ?? ''
const cookie = '__Host-sign-in'

export const handler = async ({ rawPath, queryStringParameters = {}, cookies = [], requestContext }) => {
  const redirectUri = `https://${requestContext.domainName}/callback`
  if (rawPath === '/sign-in') return startSignIn(redirectUri)
  if (rawPath === '/callback') return finishSignIn(redirectUri, queryStringParameters, cookies)
  return rawPath === '/' ? page('<a href="/sign-in">Sign in</a>') : page('Not found', 404)
}

/** Sends the browser to the sign-in page. Only this browser can come back: the cookie has the state and the verifier. */
const startSignIn = (redirectUri) => {
  const [state, verifier] = [randomText(), randomText()]
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return {
    statusCode: 302,
    headers: { location: `${issuer}/oauth2/authorize?${query}`, 'cache-control': 'no-store' },
    cookies: [`${cookie}=${state}.${verifier}; Path=/; Max-Age=600; HttpOnly; Secure; SameSite=Lax`],
  }
}

/** Exchanges the code for a token, and shows whose it is. */
const finishSignIn = async (redirectUri, { state, code, iss }, cookies) => {
  const [, stored = ''] = cookies.find((one) => one.startsWith(`${cookie}=`))?.split('=') ?? []
  const [expected, verifier] = stored.split('.')
  if (!code || !verifier || state !== expected || iss !== issuer)
    return page('The sign-in failed. <a href="/sign-in">Try again</a>', 400)
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code,
    code_verifier: verifier,
  })
  const answer = await fetch(`${issuer}/oauth2/token`, { method: 'POST', body })
  if (!answer.ok) return page('The sign-in failed. <a href="/sign-in">Try again</a>', 400)
  const { access_token: token } = await answer.json()
  const found = await fetch(`${issuer}/oauth2/userinfo`, { headers: { authorization: `Bearer ${token}` } })
  if (!found.ok) return page('The sign-in failed. <a href="/sign-in">Try again</a>', 400)
  const user = await found.json()
  return page(`Signed in as ${escapeHtml(user.name ?? user.preferred_username ?? user.sub)}.`)
}

const randomText = () => randomBytes(32).toString('base64url')

const escapeHtml = (text) => text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

const page = (html, statusCode = 200) => ({
  statusCode,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  },
  cookies: [`${cookie}=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax`],
  body: `<!doctype html><html lang="en"><title>Product</title><h1>Product</h1><p>${html}</p></html>`,
})
