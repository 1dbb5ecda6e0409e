import { describe, expect, it } from 'vitest'
import { exampleLogo } from '../../lib/accounts/example-values.models.ts'
import { storeTestResult } from '../../lib/features/connections/flows.records.ts'
import { operations } from '../../lib/features/operations.ts'
import { messagesVersion, pageFiles } from '../../lib/features/pages/app.prebuilt.ts'
import { answersHead } from '../../lib/kernel/contract/operation.ts'
import { nameScriptFolder } from '../../lib/kernel/i18n/languages.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import type { Answer, Json } from '../support/client.ts'
import { makeIdp } from '../support/idp.ts'
import { addLink, bundle, linksPath } from '../support/links.ts'
import { addSignedIn } from '../support/people.ts'
import { addProvider, signInByConnection } from '../support/saml.ts'
import { addDirectory, storeConnection } from '../support/scim.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({
  PUBLIC_URL: 'https://auth.example.com',
  RATE_LIMITS: 'lookUpFailures=5/600',
  SECURITY_CONTACT: 'mailto:security@example.com',
  SECURITY_CONTACT_UNTIL: '9999-12-31',
})
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const provider = await addProvider(service, await makeIdp())
const create = async (path: string, body: object): Promise<number> =>
  (await service.client('POST', `/api/2/${path}`, { bearer: admin.bearer, body })).body.id
const link = await addLink(service, admin.bearer, { bundles: [bundle()], view_limit: 1 })
const sharedId = 7
const shared = { id: sharedId, name: 'Dailies', root: 7, path: '/dailies' }
for (const objects of [{ bundles: [shared] }, { bundles: [], directories: [shared] }])
  await addLink(service, admin.bearer, { ...objects, is_easy_sharing: true })
await service.client('PUT', '/api/2/branding/logo', {
  bearer: admin.bearer,
  body: { content_type: 'image/png', data: exampleLogo.data },
})
const test = {
  receivedAt: Date.now(),
  diagnosis: JSON.stringify({ accepted: true, steps: [], subject: null }),
}
await storeTestResult(service.services.table, provider.id, 'test', test, Date.now() + 60_000)
const organization = await create('organizations', { name: 'Acme', slug: 'acme' })
const parameters: Readonly<Record<string, string | number | readonly (string | number)[]>> = {
  '/docs/{topic}': 'tickets',
  '/docs/guides/{guide}': 'sessions',
  '/assets/js/{folder}/{name}': [nameScriptFolder('en', messagesVersion), pageFiles.account.script],
  '/assets/css/{name}': pageFiles.account.stylesheet,
  '/api/2/auth/connections/{id}/tests/{token}': [provider.id, 'test'],
  '/logos/{hash}': exampleLogo.hash,
  '/api/2/branding/email-texts/{owner}': ['service', 'sign_up', 'en'],
  '/api/2/organizations/{id}/email-texts/{kind}': [organization, 'organization_invitation', 'en'],
  '/oauth2/interaction/{uid}': 'unknown',
  '/sign-in-question/{id}/{question}': [provider.id, 'unknown'],
  '/api/2/auth/access-tokens/get/{token}': link.token,
  '/api/2/auth/access-tokens/{id}': link.id,
  '/api/2/api-tokens/{id}': await create('api-tokens', { name: 'scripts' }),
  '/api/2/auth/saml/{id}': provider.id,
  '/api/2/auth/connections/{id}': provider.id,
  '/api/2/auth/oidc-connections/{id}': await create('auth/oidc-connections', {
    ...{ name: 'Upstream', issuer: 'https://idp.example', client_id: 'a', client_secret: 'b' },
  }),
  '/api/2/media/bundles/{id}/easy-sharing-token': sharedId,
  '/api/2/media/files/{id}/easy-sharing-token': sharedId,
  '/api/2/users/{id}': admin.user.id,
  '/api/2/oidc-clients/{id}': await create('oidc-clients', {
    name: 'shop',
    redirect_uris: ['https://shop.example/cb'],
  }),
  '/api/2/protected-apis/{id}': await create('protected-apis', { name: 'films', audience: 'urn:films' }),
  '/api/2/system/managed/{kind}': 'client',
  '/api/2/organizations/{id}': organization,
  '/api/2/groups/{id}': await create('groups', { name: 'editors' }),
  '/api/2/user-templates/{id}': await create('user-templates', { name: 'staff' }),
}

/** Replaces the parameter of a path by something that exists. */
const fillIn = (path: string): string => {
  if (!path.includes('{')) return path
  const known: typeof parameters = {
    '/scim/': [directory.connectionId, 'Users', person.body.id],
    '/api/2/organizations/{id}/sign-in/{connection_id}': [organization, broughtId],
    ...parameters,
  }
  const [template, value] = Object.entries(known).find(([start]) => path.startsWith(start)) ?? ['', '']
  if (template === '') throw new Error(`name something that exists for ${path}`)
  return [value].flat().reduce<string>((filled, one) => filled.replace(/\{\w+\}/, String(one)), path)
}

/** The headers that are the same for each response to the same request. */
const stable = ({ headers }: Answer) =>
  [...headers].filter(
    ([name]) => !['date', 'x-request-id', 'apigw-requestid', 'keep-alive', 'connection'].includes(name),
  )
const send = (method: string, path: string, bearer = admin.bearer, headers = {}) =>
  service.client(method, path, { bearer, headers })

/** Sessions are not accepted here, so both are refused. */
const withAccessToken = '/oauth2/userinfo'
const directory = await addDirectory(service, await storeConnection(service), {}, admin)
const person = await directory.addUser({ userName: 'ada' })
const broughtId = await storeConnection(service, { organization_id: organization, isFromOrganization: true })
const organizationToken: string = (
  await service.client('POST', `/api/2/organizations/${organization}/api-tokens`, {
    bearer: admin.bearer,
    body: { name: 'reports', permissions: ['org:members:view'], expires: null },
  })
).body.token

/** Operations that no session may call, by the beginning of their paths. */
const bearers = [
  ['/api/2/organizations/current', organizationToken],
  ['/scim/', directory.token],
] as const

describe('HEAD', () => {
  const readable = operations.filter(answersHead)

  it.each(readable.map(({ id, path }) => [id, path]))(
    'of %s answers like GET, without the body',
    async (_, path) => {
      const target = fillIn(path)
      // The length of a compressed body differs.
      for (const coding of ['identity', 'br']) {
        const headers = { 'accept-encoding': coding }
        const bearer = bearers.find(([start]) => path.startsWith(start))?.[1] ?? admin.bearer
        const get = await send('GET', target, bearer, headers)
        const head = await send('HEAD', target, bearer, headers)
        if (path === withAccessToken) expect(get.status).toBe(401)
        else expect(get.status).toBeLessThan(400)
        expect([head.status, head.text]).toEqual([get.status, ''])
        expect(stable(head)).toEqual(stable(get))
        // A redirect has no body.
        if (get.status !== 303) expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0)
      }
    },
  )

  it('has the link to the next page', async () => {
    const path = '/api/2/users?limit=1'
    const { headers } = await send('GET', path)
    expect(headers.get('link')).toContain('cursor=')
    expect((await send('HEAD', path)).headers.get('link')).toBe(headers.get('link'))
  })

  it('is refused as GET is, with the same audit event', async () => {
    const plain = await addSignedIn(service)
    for (const [path, bearer, status] of [
      ['/api/2/users/me', '', 401],
      ['/api/2/users', plain.bearer, 403],
      ['/api/2/users?limit=0', admin.bearer, 400],
      ['/api/2/users/2147483646', admin.bearer, 404],
      ['/api/2/unknown', admin.bearer, 404],
    ] as const) {
      const get = await send('GET', path, bearer)
      const head = await send('HEAD', path, bearer)
      expect([get.status, head.status, head.text], path).toEqual([status, status, ''])
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
    }
    const query = `event=access.denied&user=${plain.user.id}`
    const { body } = await send('GET', `/api/2/auth/audit-events?${query}`)
    expect(body.map(({ target }: Json) => target)).toEqual(['get_all_users', 'get_all_users'])
  })

  it('is never answered where GET changes something', async () => {
    const changing = operations.filter((op) => op.method === 'GET' && !answersHead(op))
    for (const { method, path } of changing) {
      const answer = await send('HEAD', fillIn(path))
      expect([answer.status, answer.text], `${method} ${path}`).toEqual([405, ''])
      expect(answer.headers.get('allow')).toMatch(/^GET(, POST)?$/)
      expect(answer.cookies).toEqual([])
    }
    expect((await send('GET', '/api/2/users/me')).status).toBe(200)
    expect(changing.map(({ id }) => id)).toEqual([
      'start_authorization',
      'resume_authorization',
      'logout_for_client',
      'logout_page',
      'start_saml_auth',
      'return_from_saml_auth',
      'start_oidc_sign_in',
      'receive_oidc_answer',
      'return_from_oidc_sign_in',
      'show_sign_in_question',
      'start_saml_logout',
      'return_from_saml_logout',
    ])
  })

  it('leaves the last step of a SAML sign-in to the browser', async () => {
    const { browser, answer } = await signInByConnection(service, provider)
    const back = new URL(answer.headers.get('location') ?? '', service.url)
    expect((await service.client('HEAD', back.pathname + back.search)).status).toBe(405)
    expect((await browser.get(back.pathname + back.search, 'cross-site')).status).toBe(303)
  })

  it('is an allowed method of a path exactly where it is answered', async () => {
    const { headers } = await send('POST', '/api/2/users/me')
    expect(headers.get('allow')?.split(', ')).toContain('HEAD')
    expect((await send('POST', '/api/2/auth/saml/1/sso')).headers.get('allow')).toBe('GET')
  })

  it('counts as GET does where lookups are limited', async () => {
    const statuses = []
    for (let at = 0; at < 7; at++)
      statuses.push(
        (await service.client('HEAD', `${linksPath}/get/${mintCredential('access_token').value}`)).status,
      )
    expect(statuses).toContain(404)
    expect(statuses.at(-1)).toBe(429)
  })
})
