import { decodeJwt } from 'jose'
import { expect, it } from 'vitest'
import { resourcesOf, shareSynthesis } from '../infra/synthesis.ts'
import { startDeployedService } from '../runner/deployed-service.ts'
import { httpEvent } from '../support/authorizer-events.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { readHiddenFields } from '../support/decisions.ts'
import { agentRedirectUri, startDocumentHost } from '../support/document-host.ts'
import { buildAuthorization, createPkce, postToken, readRedirect } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { readItems } from '../support/table-copies.ts'

/* An agent that no administrator registered, from the first authorization to its end. */

const audience = 'https://films.example.com/mcp'
const host = closeAfterTests(await startDocumentHost())
const service = closeAfterTests(
  await startDeployedService({ ALLOW_PRIVATE_METADATA: 'true', AUTHORIZER_AUDIENCES: audience }, {}),
)

it('describes itself, gets access by its user, and ends', async () => {
  const clientId = host.describe('/agent.json')
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const person = await addSignedIn(service)
  const policy = await service.client('PUT', '/api/2/system/agent-policy', {
    bearer: admin.bearer,
    body: { hosts: [host.host] },
  })
  expect(policy.status, policy.text).toBe(200)
  const texts = { en: 'Films' }
  const registered = await service.client('POST', '/api/2/protected-apis', {
    bearer: admin.bearer,
    body: {
      ...{ name: 'Films', audience, unregistered_clients: true },
      scopes: [{ name: 'films.read', texts, permissions: [] }],
    },
  })
  expect(registered.status, registered.text).toBe(201)

  const { challenge, verifier } = createPkce()
  const party = {
    client: { clientId, redirect_uris: [agentRedirectUri], type: 'public' as const },
    secret: '',
  }
  const query = buildAuthorization(party, challenge, {
    ...{ scope: 'films.read offline_access', resource: audience, nonce: undefined },
  })
  const session = `latchkey=${person.bearer}`
  // Someone who is not signed in sees into what the sign-in leads.
  const stranger = await service.client('GET', `/oauth2/authorize?${query}`)
  const signIn = await service.client(
    'GET',
    stranger.headers.get('location')?.slice(service.url.length) ?? '',
    {
      headers: { cookie: stranger.cookies.map((text) => text.split(';')[0]).join('; '), accept: 'text/html' },
    },
  )
  expect(signIn.text).toContain(JSON.stringify(clientId).slice(1, -1))
  const started = await service.client('GET', `/oauth2/authorize?${query}`, { headers: { cookie: session } })
  expect(started.status, started.text).toBe(303)
  const { pathname } = new URL(started.headers.get('location') ?? '')
  const cookie = [session, ...started.cookies.map((text) => text.split(';')[0])].join('; ')
  const page = await service.client('GET', pathname, { headers: { cookie, accept: 'text/html' } })
  expect([page.status, page.text.includes('Films (Films)')]).toEqual([200, true])
  const answered = await service.client('POST', pathname, {
    raw: String(new URLSearchParams({ answer: 'continue', ...readHiddenFields(page) })),
    headers: {
      ...{ cookie, 'sec-fetch-site': 'same-origin' },
      'content-type': 'application/x-www-form-urlencoded',
    },
  })
  const { code = '' } = readRedirect(answered)
  const tokens = await postToken(service, {
    ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
    ...{ redirect_uri: agentRedirectUri, client_id: clientId },
  })
  expect(tokens.status, JSON.stringify(tokens.body)).toBe(200)
  expect(decodeJwt(tokens.body.access_token)).toMatchObject({ client_id: clientId, aud: audience })

  const { template } = await shareSynthesis('service')
  const [id = ''] = resourcesOf(template, 'AWS::Lambda::Function').flatMap(([one, { Properties }]) =>
    Properties.Description === 'Latchkey: authorizer' ? [one] : [],
  )
  const allowed = await service.deployment.functions.get(id)?.invoke(httpEvent(tokens.body.access_token))
  expect(allowed).toMatchObject({ isAuthorized: true })

  const { body: apps } = await service.client('GET', '/api/2/users/me/apps', { bearer: person.bearer })
  expect(apps).toMatchObject([{ name: clientId, apis: [{ audience }] }])
  // The agent has no address for the end of the session, and that must not fail the job.
  const left = await service.client('POST', '/api/2/auth/logout', { bearer: person.bearer })
  expect(left.status, left.text).toBeLessThan(400)
  await service.deployment.stream.whenIdle()
  await service.deployment.sources.deliverEvents(service.deployment.eventBridge.events)
  expect(await readItems(service.tableName, ({ pk }) => pk.startsWith('logout-job#'))).toEqual([])
  const removed = await service.client('DELETE', `/api/2/oidc-clients/${apps[0].id}`, {
    bearer: admin.bearer,
  })
  expect(removed.status, removed.text).toBe(204)
})
