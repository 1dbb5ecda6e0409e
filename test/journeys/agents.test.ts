import { randomUUID } from 'node:crypto'
import {
  type CryptoKey,
  createRemoteJWKSet,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  jwtVerify,
  SignJWT,
} from 'jose'
import { describe, expect, it } from 'vitest'
import { type AgentDocument, agentDocuments, opencode } from '../support/agent-documents.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startDocumentHost } from '../support/document-host.ts'
import { buildAuthorization, createPkce, postToken, readRedirect } from '../support/oidc.ts'
import { addPerson, addSignedIn, trySignIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/* A person connects an agent that no one registered: from its first request to a token that it renews. */

const films = 'https://films.example.com/mcp'
const host = closeAfterTests(await startDocumentHost())
const service = await useService({ ALLOW_PRIVATE_METADATA: 'true' })
const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
const texts = { en: 'See films' }
const body = {
  ...{ name: 'Films', audience: films, unregistered_clients: true },
  permissions: [{ name: 'films:view', texts }],
  scopes: [{ name: 'films.read', texts, permissions: ['films:view'] }],
}
await service.client('POST', '/api/2/protected-apis', { bearer, body })
await service.client('PUT', '/api/2/system/agent-policy', {
  bearer,
  body: {
    hosts: [host.host],
    callback_hosts: [{ host: host.host, callback_host: 'console.x.ai' }],
  },
})
const pair = await generateKeyPair('RS256', { extractable: true })
const privateKey: CryptoKey = pair.privateKey
const key = { ...(await exportJWK(pair.publicKey)), kid: 'cimd-1', use: 'sig', alg: 'RS256' }
host.publish('/oauth/jwks.json', JSON.stringify({ keys: [key] }))

const html = { accept: 'text/html' }
const joinCookies = (...cookies: readonly string[]): string =>
  cookies.map((cookie) => cookie.split(';')[0]).join('; ')
/** The fields of the form that a page shows, with the answer of the person. */
const fillForm = (page: string): string => {
  const form = new URLSearchParams({ answer: 'continue' })
  for (const [field] of page.matchAll(/<input[^>]*type="hidden"[^>]*>/g))
    form.set(/name="([^"]*)"/.exec(field)?.[1] ?? '', /value="([^"]*)"/.exec(field)?.[1] ?? '')
  return String(form)
}

/** What an agent sends with a request for tokens. */
const prove = async (clientId: string, signs = false): Promise<Record<string, string>> => {
  if (!signs) return { client_id: clientId }
  const now = Math.floor(Date.now() / 1000)
  const assertion = await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: 'RS256', kid: 'cimd-1', typ: 'JWT' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(service.url)
    .setIssuedAt(now)
    .setExpirationTime(now + 60)
    .sign(privateKey)
  return {
    client_id: clientId,
    client_assertion: assertion,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  }
}

describe.each(agentDocuments.map((document): [string, AgentDocument] => [document.agent, document]))(
  '%s',
  (_, { path, redirectUri: build, signs, fields }) => {
    it('signs a person in, asks them, and gets tokens that it renews', async () => {
      const clientId = host.url + path
      host.publish(path, JSON.stringify({ client_id: clientId, ...fields(host.url) }))
      const redirectUri = build(host.url)
      const { challenge, verifier } = createPkce()
      const client = { clientId, redirect_uris: [redirectUri], type: 'public' } as const
      const query = buildAuthorization({ client, secret: '' }, challenge, {
        ...{ scope: 'films.read offline_access', resource: films, nonce: undefined },
      })
      // A browser in which no user is signed in comes from the agent.
      const started = await service.client('GET', `/oauth2/authorize?${query}`, { headers: html })
      const page = new URL(started.headers.get('location') ?? '')
      const { pathname, search } = new URL(page.searchParams.get('return_to') ?? '')
      const { user, password } = await addPerson(service, { permissions: ['films:view'] })
      const signedIn = await trySignIn(service, { user, password })
      const cookie = joinCookies(...started.cookies, `latchkey=${signedIn.body.session_key}`)
      const asked = await service.client('GET', pathname + search, { headers: { ...html, cookie } })
      expect([asked.status, asked.text.includes(`Give ${host.host} access?`)]).toEqual([200, true])
      const answered = await service.client('POST', pathname, {
        raw: fillForm(asked.text),
        headers: {
          ...{ ...html, cookie, 'sec-fetch-site': 'same-origin' },
          'content-type': 'application/x-www-form-urlencoded',
        },
      })
      expect(answered.headers.get('location')?.startsWith(redirectUri)).toBe(true)
      const { code = '' } = readRedirect(answered)
      const issued = await postToken(service, {
        ...{ grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: redirectUri },
        ...(await prove(clientId, signs)),
      })
      expect([issued.status, issued.body.error]).toEqual([200, undefined])
      const keys = createRemoteJWKSet(new URL(`${service.url}/.well-known/jwks.json`))
      const { payload } = await jwtVerify(issued.body.access_token, keys, { audience: films, typ: 'at+jwt' })
      expect(payload).toMatchObject({ client_id: clientId, permissions: ['films:view'] })
      const renewed = await postToken(service, {
        ...{ grant_type: 'refresh_token', refresh_token: issued.body.refresh_token },
        ...(await prove(clientId, signs)),
      })
      expect(renewed.status).toBe(200)
      expect(decodeJwt(renewed.body.access_token)['aud']).toBe(films)
    })
  },
)

describe('opencode', () => {
  const redirectUri = opencode.redirectUri(host.url)
  const ask = async (clientId: string) => {
    const client = { clientId, redirect_uris: [redirectUri], type: 'public' } as const
    const query = buildAuthorization({ client, secret: '' }, createPkce().challenge, {
      ...{ scope: 'films.read offline_access', resource: films, nonce: undefined },
    })
    const person = await addSignedIn(service, { permissions: ['films:view'] })
    const cookie = `latchkey=${person.bearer}`
    const started = await service.client('GET', `/oauth2/authorize?${query}`, {
      headers: { ...html, cookie },
    })
    return { started, cookie: joinCookies(cookie, ...started.cookies) }
  }

  it('is refused as it sends today, in words, because its document lists another address', async () => {
    const clientId = host.url + opencode.path
    host.publish(opencode.path, JSON.stringify({ client_id: clientId, ...opencode.fields(host.url) }))
    const { started } = await ask(clientId)
    expect([started.status, started.headers.get('location')]).toEqual([400, null])
    expect(started.text).toContain('redirect_uri is not in the document that client_id names')
    expect(started.text).toContain('http://localhost/callback')
  })

  it('connects once an administrator registered both addresses', async () => {
    const { body: app } = await service.client('POST', '/api/2/oidc-clients', {
      bearer,
      body: {
        ...{ name: 'opencode', type: 'public' },
        redirect_uris: ['http://127.0.0.1/callback', 'http://127.0.0.1/mcp/oauth/callback'],
        apis: [{ audience: films, scopes: ['films.read'] }],
      },
    })
    const { started, cookie } = await ask(app.client_id)
    const pathname = new URL(started.headers.get('location') ?? '').pathname
    const asked = await service.client('GET', pathname, { headers: { ...html, cookie } })
    expect([asked.status, asked.text.includes('opencode')]).toEqual([200, true])
    expect(asked.text).toContain('127.0.0.1:19876')
  })
})
