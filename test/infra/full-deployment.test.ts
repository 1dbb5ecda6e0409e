import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../lib/contract/operations.ts'
import { type Key, userKey } from '../../lib/store/engine/keys.ts'
import { openTable } from '../../lib/store/engine/open-table.ts'
import { routesOf } from '../runner/template-routes.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { newAuthenticator } from '../support/authenticator.ts'
import { makeCertificate } from '../support/certificates.ts'
import { type Answer, clientOf, type RequestOptions } from '../support/client.ts'
import { queryOf } from '../support/idp/redirect.ts'
import { replaced } from '../support/idp/xml.ts'
import { type AnswerFacts, makeIdp } from '../support/idp.ts'
import { SoftwarePasskey } from '../support/passkeys.ts'
import { bounceMessage, snsEvent } from '../support/ses-events.ts'
import { adminPassword, type Deployment, deploy } from './deployment.ts'
import { startFunction } from './lambda.ts'
import { resourcesOf, type Synthesis, shareSynthesis } from './synthesis.ts'

/*
 * Runs what the synthesized template would deploy: the bundles of the functions with their environment, their routes
 * and the permissions of their roles.
 */

let synthesis: Synthesis
let deployment: Deployment
const call = (method: string, path: string, options?: RequestOptions): Promise<Answer> =>
  clientOf(deployment.url)(method, path, options)

beforeAll(async () => {
  synthesis = await shareSynthesis('full')
  deployment = await deploy(synthesis, process.env['DYNAMODB_ENDPOINT'] ?? '')
})
afterAll(async () => {
  await deployment?.close()
})

// A test fails if one of its functions makes a call that its role does not allow.
afterEach(() => {
  expect(deployment.takeDenials()).toEqual([])
})

const functionId = (name: string): string => {
  const [id] = [...deployment.functions.keys()].filter((key) => key.startsWith(`Auth${name}Function`))
  if (!id) throw new Error(`there is no function ${name}`)
  return id
}

const customResourceEvent = (type: 'Create' | 'Update' | 'Delete') => ({
  RequestType: type,
  ResponseURL: deployment.responseUrl,
  StackId: 'stack',
  RequestId: type,
  LogicalResourceId: 'FirstAdmin',
})
const outcomeOf = async (type: 'Create' | 'Update' | 'Delete') => {
  await deployment.functions.get(functionId('FirstAdmin'))?.invoke(customResourceEvent(type))
  return deployment.responses.at(-1)
}

describe('the roles of functions', () => {
  it('deny and report table calls that they do not allow', async () => {
    const caller = functionId('FirstAdmin')
    const answer = await fetch(deployment.tableEndpoint, {
      method: 'POST',
      headers: {
        'x-amz-target': 'DynamoDB_20120810.Scan',
        authorization: `AWS4-HMAC-SHA256 Credential=${caller}/20260101/local/dynamodb/aws4_request`,
      },
      body: JSON.stringify({ TableName: deployment.tableName }),
    })
    expect(await answer.text()).toContain('AccessDeniedException')
    expect(deployment.takeDenials()).toEqual([expect.stringContaining(`${caller} dynamodb:Scan`)])
  })
})

describe('the audit chain', () => {
  it('is signed with the key that only its function may use', async () => {
    const chain = deployment.functions.get(functionId('AuditChain'))
    await chain?.invoke({})
    const [, checkpoint] =
      /"event":"audit.checkpoint","checkpoint":"(1:[^"]+)"/.exec(chain?.log() ?? '') ?? []
    expect(checkpoint).toMatch(/^1:[\w-]{43}$/)
    await chain?.invoke({})
    expect(chain?.log().match(/audit\.checkpoint/g)).toHaveLength(1)
  })
})

describe('the signing keys', () => {
  it('are created with the stack, encrypted by KMS, and sign JWTs at once', async () => {
    const event = { ...customResourceEvent('Create'), LogicalResourceId: 'FirstSigningKey' }
    await deployment.functions.get(functionId('SigningKeys'))?.invoke(event)
    expect(deployment.responses.at(-1)).toMatchObject({
      Status: 'SUCCESS',
      LogicalResourceId: 'FirstSigningKey',
      PhysicalResourceId: 'signing-keys',
    })
    expect((await call('GET', '/.well-known/jwks.json')).body.keys).toHaveLength(2)
  })
})

describe('the first administrator', () => {
  it('is created with the stack, with the password from the secret', async () => {
    expect(await outcomeOf('Create')).toEqual({
      Status: 'SUCCESS',
      Reason: 'The user admin was created.',
      StackId: 'stack',
      RequestId: 'Create',
      LogicalResourceId: 'FirstAdmin',
      PhysicalResourceId: 'first-admin',
    })
  })

  it('is created once', async () => {
    expect(await outcomeOf('Update')).toMatchObject({
      Status: 'SUCCESS',
      Reason: 'The user admin already exists.',
    })
  })

  it('stays when the stack is deleted', async () => {
    expect(await outcomeOf('Delete')).toMatchObject({ Status: 'SUCCESS' })
  })

  it('reports a failure to CloudFormation with a reason', async () => {
    const code = synthesis.assetOf(functionId('FirstAdmin'))
    const misconfigured = await startFunction(code, { ADMIN_PASSWORD_SECRET: 'secret' })
    await misconfigured.invoke(customResourceEvent('Create'))
    await misconfigured.stop()
    expect(deployment.responses.at(-1)).toMatchObject({
      Status: 'FAILED',
      Reason: 'The user admin could not be created (Error). See the log of this function.',
    })
    expect(misconfigured.log()).toContain('TABLE_NAME is missing')
  })

  it('keeps the password out of responses and logs', () => {
    expect(JSON.stringify(deployment.responses)).not.toContain(adminPassword)
    expect(deployment.functions.get(functionId('FirstAdmin'))?.log()).not.toContain(adminPassword)
  })
})

describe('the deployed service', () => {
  let bearer: string
  let ticket: string

  it('signs the administrator in', async () => {
    const { status, body } = await call('POST', '/api/2/auth/login', {
      body: { username: 'admin', password: adminPassword },
    })
    expect(status).toBe(200)
    bearer = body.session_key
  })

  it('creates a ticket', async () => {
    const { status, body } = await call('POST', '/api/2/auth/ticket', { bearer, body: {} })
    expect(status).toBe(200)
    ticket = body.ticket
  })

  it('exchanges the ticket once', async () => {
    const first = await call('POST', '/api/2/auth/ticket/check', { body: { ticket } })
    expect(first).toMatchObject({ status: 200, body: { username: 'admin' } })
    const second = await call('POST', '/api/2/auth/ticket/check', { body: { ticket } })
    expect(second).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('manages users', async () => {
    const ada = { username: 'ada', email: 'ada@example.com', groups: [], permissions: [], fm_bookmarks: [] }
    const made = await call('POST', '/api/2/users', { bearer, body: ada })
    expect(made.status).toBe(201)
    const path = made.headers.get('location') ?? ''
    expect(await call('GET', path, { bearer })).toMatchObject({ status: 200, body: { username: 'ada' } })
    const password = 'A good and long password'
    expect((await call('POST', `${path}/password`, { bearer, body: { password } })).status).toBe(204)
    expect((await call('POST', '/api/2/auth/login', { body: { username: 'ada', password } })).status).toBe(
      200,
    )
  })

  it('requires second factors, with keys that KMS encrypts', async () => {
    const { body: user } = await call('POST', '/api/2/users', {
      bearer,
      body: { username: 'grace', groups: [], permissions: [] },
    })
    const password = 'A good and long password'
    await call('POST', `/api/2/users/${user.id}/password`, { bearer, body: { password } })
    const login = (otp?: string) =>
      call('POST', '/api/2/auth/login', { body: { username: 'grace', password, otp } })
    const own = { bearer: (await login()).body.session_key }
    const path = `/api/2/users/${user.id}/totp`
    const { key, code } = newAuthenticator()
    const enabled = await call('POST', path, { ...own, body: { key, otp: code() } })
    expect(enabled.status).toBe(200)
    expect((await login()).body.reason).toBe('otp_required')
    expect((await login(code(1))).status).toBe(200)
    expect((await login(enabled.body.recovery_codes[0])).status).toBe(200)
    expect((await call('PUT', path, { ...own, body: { otp: code(3) } })).body.drift).toBeGreaterThan(1)
    expect((await call('DELETE', `${path}?otp=${code(4)}`, own)).status).toBe(204)
  })

  it('adds, uses and removes passkeys, with a library that is loaded on demand', async () => {
    const origin = 'https://auth.example.com'
    const base = '/api/2/users/me/passkeys'
    const passkey = new SoftwarePasskey()
    const { body: creation } = await call('POST', `${base}/options`, { bearer })
    const credential = passkey.create(creation, { origin })
    const added = await call('POST', base, { bearer, body: { credential } })
    expect(added.status).toBe(201)
    const use = async (path: string, options: RequestOptions = {}) => {
      const start = await call('POST', `/api/2/auth/passkeys${path}/options`, { ...options, body: {} })
      return { credential: passkey.get(start.body, { origin }) }
    }
    const signIn = await call('POST', '/api/2/auth/passkeys/login', { body: await use('') })
    expect(signIn).toMatchObject({ status: 200, body: { user: { username: 'admin' } } })
    const proof = { bearer, body: await use('/reauthenticate', { bearer }) }
    expect((await call('POST', '/api/2/auth/passkeys/reauthenticate', proof)).status).toBe(204)
    const broken = { credential: { ...proof.body.credential, id: 'AAAA', rawId: 'AAAA' } }
    expect((await call('POST', '/api/2/auth/passkeys/login', { body: broken })).status).toBe(401)
    const own = `${base}/${added.body.id}`
    expect((await call('PATCH', own, { bearer, body: { name: 'Laptop' } })).status).toBe(200)
    expect((await call('GET', base, { bearer })).body).toMatchObject([{ name: 'Laptop' }])
    expect((await call('DELETE', own, { bearer })).status).toBe(204)
  })

  it('evaluates and generates passwords with code that is loaded on demand', async () => {
    const rules = [{ group_name: 'digits', group_regex: '[0-9]', min_count: 4 }]
    const { status, body } = await call('POST', '/api/2/auth/evaluate-password', {
      bearer,
      body: { password: 'Password1', custom_policy: { rules, min_entropy_bits: 60 } },
    })
    expect({ status, errors: body.errors.length }).toEqual({ status: 200, errors: 2 })
    const path = '/api/2/system/password-policy'
    expect((await call('PUT', path, { bearer, body: { rules, min_length: 12 } })).status).toBe(200)
    const made = await call('POST', '/api/2/auth/generate-password', { bearer, body: {} })
    expect(made.body.password).toMatch(/(\d.*){4}/)
    expect((await call('PUT', path, { bearer, body: { min_length: 12, no_pwned: true } })).status).toBe(200)
  })

  it('lists, changes and deletes users, groups and templates, with audit events', async () => {
    const statusOf = async (method: string, path: string, body?: object) =>
      (await call(method, path, { bearer, ...(body ? { body } : {}) })).status
    const { id } = (
      await call('POST', '/api/2/users', { bearer, body: { username: 'eve', groups: [], permissions: [] } })
    ).body
    const group = (
      await call('POST', '/api/2/groups', { bearer, body: { name: 'group', members: [{ id }] } })
    ).body.id
    const template = (await call('POST', '/api/2/user-templates', { bearer, body: { name: 'template' } }))
      .body.id
    const manager = { username: 'max', groups: [group], permissions: ['users:manage', 'media:access'] }
    const max = (await call('POST', '/api/2/users', { bearer, body: manager })).body.id
    await call('POST', `/api/2/users/${max}/password`, { bearer, body: { password: 'A good, long one' } })
    const credentials = { username: 'max', password: 'A good, long one' }
    const { body: own } = await call('POST', '/api/2/auth/login', { body: credentials })
    const changed = await call('PATCH', `/api/2/users/${id}`, {
      bearer: own.session_key,
      body: { username: 'eva', email: 'eva@example.com', groups: [group] },
    })
    expect([changed.status, changed.body.groups]).toEqual([200, [group]])
    const leave = { bearer: own.session_key, body: { groups: [] } }
    expect((await call('PATCH', `/api/2/users/${id}`, leave)).status).toBe(200)
    expect((await call('PATCH', `/api/2/users/${id}`, { ...leave, body: { groups: [group] } })).status).toBe(
      200,
    )
    for (const list of ['users', 'users?ordering=username', `users?groups=${group}`, 'users?is_enabled=true'])
      expect((await call('GET', `/api/2/${list}`, { bearer })).body.length, list).toBeGreaterThan(0)
    for (const list of ['groups', 'groups?ordering=name', 'user-templates', 'auth/sessions'])
      expect((await call('GET', `/api/2/${list}`, { bearer })).body.length, list).toBeGreaterThan(0)
    expect(await statusOf('PATCH', `/api/2/users/${id}`, { permissions: ['system:admin-access'] })).toBe(200)
    expect(await statusOf('PATCH', `/api/2/groups/${group}`, { name: 'other', members: [{ id: max }] })).toBe(
      200,
    )
    expect(await statusOf('PATCH', `/api/2/user-templates/${template}`, { name: 'other' })).toBe(200)
    const link = await call('POST', '/api/2/auth/access-tokens', {
      bearer: own.session_key,
      body: {
        directories: [{ id: 1, name: 'Of a deleted user', root: 1, path: '/' }],
        is_easy_sharing: true,
      },
    })
    const opened = await call('POST', '/api/2/auth/access-tokens/redeem', {
      body: { token: link.body.token },
    })
    expect([link.status, opened.status]).toEqual([201, 200])
    const sessions = (await call('GET', '/api/2/auth/sessions', { bearer: own.session_key })).body
    const ended = await call('DELETE', `/api/2/auth/sessions/${sessions[0].id}`, { bearer: own.session_key })
    expect(ended.status).toBe(204)
    expect(await statusOf('DELETE', `/api/2/users/${id}/sessions`)).toBe(204)
    for (const path of [`users/${id}`, `groups/${group}`, `users/${max}`, `user-templates/${template}`])
      expect(await statusOf('DELETE', `/api/2/${path}`), path).toBe(204)
    for (const deleted of [`auth/access-tokens/${link.body.id}`, `users/${link.body.user.id}`])
      expect(await statusOf('GET', `/api/2/${deleted}`), deleted).toBe(404)
    for (const query of ['', `?user=${id}`])
      expect((await call('GET', `/api/2/auth/audit-events${query}`, { bearer })).body.length).toBeGreaterThan(
        3,
      )
  })

  it('creates, opens, lists and deletes access links, with values that KMS encrypts', async () => {
    const links = '/api/2/auth/access-tokens'
    const shared = { bundles: [{ id: 1, name: 'A bundle', root: 1, path: '/a', asset: 2 }] }
    const make = async (given: object) => {
      const { status, body } = await call('POST', links, { bearer, body: { ...shared, ...given } })
      expect(status).toBe(201)
      return body
    }
    const open = (token: string, given: object = {}) =>
      call('POST', `${links}/redeem`, { body: { token, ...given } })
    const [limited, locked, easy] = [
      await make({ view_limit: 1 }),
      await make({ email: 'guest@example.com', password: 'a password' }),
      await make({ is_easy_sharing: true }),
    ]
    expect((await call('POST', links, { bearer, body: { ...shared, is_easy_sharing: true } })).status).toBe(
      200,
    )
    expect((await call('GET', `${links}/get/${limited.token}`)).body.full_url).toBe(limited.full_url)
    const { session_key: guest } = (await open(limited.token)).body
    expect((await open(limited.token)).status).toBe(404)
    expect((await open(locked.token, { password: 'wrong' })).status).toBe(401)
    expect((await open(locked.token, { password: 'a password' })).status).toBe(200)
    expect((await open(easy.token)).status).toBe(200)
    expect((await call('GET', links, { bearer: guest })).body).toHaveLength(1)
    for (const query of ['', '?shared_bundles=1,2&ordering=-expires', `?user=${locked.user.id}&created_by=1`])
      expect((await call('GET', links + query, { bearer })).body.length, query).toBeGreaterThan(0)
    expect((await call('GET', `${links}/${limited.id}`, { bearer })).body.activity).toHaveLength(1)
    expect((await call('GET', `${links}/${limited.id}/permissions`, { bearer })).body).toHaveLength(1)
    const made = (await call('POST', '/api/2/auth/ticket', { bearer: guest, body: {} })).body
    for (const { id } of [limited, locked, easy])
      expect((await call('DELETE', `${links}/${id}`, { bearer })).status).toBe(204)
    expect((await call('GET', '/api/2/users/me', { bearer: guest })).status).toBe(401)
    expect((await call('POST', '/api/2/auth/ticket/check', { body: made })).status).toBe(404)
  })

  it('sends links by SES, and stops after a bounce that arrives through SNS', async () => {
    const { body: link } = await call('POST', '/api/2/auth/access-tokens', {
      bearer,
      body: { email: 'ann@example.com', bundles: [{ id: 1, name: 'A bundle', root: 1, path: '/' }] },
    })
    const path = `/api/2/auth/access-tokens/${link.id}/email`
    const sent = await call('POST', path, { bearer, body: { text: 'Hello Ann' } })
    expect({ status: sent.status, text: sent.text }).toEqual({ status: 204, text: '' })
    const from = 'Example <no-reply@mail.example.com>'
    expect(deployment.mails).toMatchObject([{ to: 'ann@example.com', from }])
    const mailEvents = deployment.functions.get(functionId('MailEvents'))
    expect(await mailEvents?.invoke(snsEvent('junk', bounceMessage({ to: 'ann@example.com' })))).toBeNull()
    expect(mailEvents?.log()).toContain('"MailBounced":1')
    expect((await call('POST', path, { bearer, body: { text: 'Hello again' } })).status).toBe(409)
    expect(deployment.mails).toHaveLength(1)
  })

  it('stores SAML providers with keys that it cannot read, and warns of expiring certificates', async () => {
    const soon = await makeCertificate({ days: { from: -1, to: 20 } })
    const template = (await call('POST', '/api/2/user-templates', { bearer, body: { name: 'saml' } })).body.id
    const made = await call('POST', '/api/2/auth/saml', {
      bearer,
      body: {
        entity_id: 'urn:idp',
        sso_url: 'https://idp.example.com/sso',
        certificate: soon.pem,
        user_template: template,
      },
    })
    expect({ status: made.status, text: made.status === 201 ? '' : made.text }).toEqual({
      status: 201,
      text: '',
    })
    const path = `/api/2/auth/saml/${made.body.id}`
    expect(
      (await call('PATCH', path, { bearer, body: { entity_id: 'urn:other', name: 'Other' } })).status,
    ).toBe(200)
    for (const query of ['', '?ordering=-name'])
      expect((await call('GET', `/api/2/auth/saml${query}`)).body).toMatchObject([{ name: 'Other' }])
    expect((await call('POST', `${path}/rotate-sp-key`, { bearer, body: {} })).status).toBe(200)
    expect((await call('GET', `${path}/metadata`)).text.match(/X509Certificate>/g)).toHaveLength(8)
    const inside = { bearer, body: { url: 'https://169.254.169.254/' } }
    for (const operation of ['/api/2/auth/saml/parse-idp-metadata', `${path}/refresh-idp-metadata`])
      expect((await call('POST', operation, inside)).body.errors[0].message).toContain('public internet')
    const refresh = deployment.functions.get(functionId('SamlRefresh'))
    expect(await refresh?.invoke({})).toMatchObject({ providers: 1, warnings: 1, failed: 0 })
    expect(await refresh?.invoke({})).toMatchObject({ providers: 1, warnings: 0 })
    expect(refresh?.log()).toContain('"SamlCertificateEnding":1')
    expect((await call('DELETE', path, { bearer })).status).toBe(204)
  })

  it('signs users in and out through SAML, with keys that KMS decrypts', async () => {
    const idp = await makeIdp()
    const own = await makeCertificate({ name: 'service' })
    const fields = {
      ...{ sp_certificate: own.pem, sp_certificate_key: own.keyPem },
      ...{ auto_create_groups: true, auto_sync_groups: true, allowed_groups: ['*'] },
    }
    const made = await call('POST', '/api/2/auth/saml', { bearer, body: idp.providerBody(fields) })
    const path = `/api/2/auth/saml/${made.body.id}`
    expect((await call('GET', `${path}/metadata`)).text).toContain(made.body.assertion_url)

    /** Follows the redirects of a browser from the start to a session. */
    const signIn = async (facts: AnswerFacts): Promise<string> => {
      const start = await call('GET', `${path}/sso?return_to=/done`)
      expect({ status: start.status, text: start.text }).toEqual({ status: 303, text: '' })
      const request = idp.read(start.headers.get('location') ?? '', [own.pem])
      const { form } = await idp.answer(idp.targetOf(request), facts)
      const posted = await call('POST', `${path}/assertion`, {
        raw: new URLSearchParams(Object.entries(form)).toString(),
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          cookie: start.cookies[0]?.split(';')[0] ?? '',
        },
      })
      expect({ status: posted.status, text: posted.text }).toEqual({ status: 303, text: '' })
      const cookie = posted.cookies[0]?.split(';')[0] ?? ''
      const onward = new URL(posted.headers.get('location') ?? '')
      const back = await call('GET', onward.pathname + onward.search, { headers: { cookie } })
      expect(back.headers.get('location')).toMatch(/\/done$/)
      return cookie.split('=')[1] ?? ''
    }
    const facts = { nameId: 'saml-user', sessionIndex: 's1', attributes: { groups: ['of the provider'] } }
    const session = await signIn(facts)
    const again = await signIn({
      ...facts,
      attributes: { groups: ['another one'] },
      encrypt: { certificate: own.pem },
    })
    const me = await call('GET', '/api/2/users/me', { bearer: again })
    expect(me.body).toMatchObject({ username: 'saml-user' })

    const address = `${path}/sls`
    const leave = await call('GET', address, { bearer: session })
    expect(idp.read(leave.headers.get('location') ?? '', [own.pem]).kind).toBe('LogoutRequest')
    const ending = idp.logoutRequest(`${made.body.logout_url}/return`, { nameId: 'saml-user' })
    const ended = await call('GET', `${address}/return?${queryOf(ending)}`)
    expect(idp.read(ended.headers.get('location') ?? '', [own.pem]).kind).toBe('LogoutResponse')
    expect((await call('GET', '/api/2/users/me', { bearer: again })).status).toBe(401)
    const body = { saml_response: 'x' }
    expect((await call('POST', `${path}/diagnose`, { bearer, body })).body.accepted).toBe(false)
  })

  it('verifies a SAML response twice, the second time with node-saml', async () => {
    const idp = await makeIdp()
    const provider = await call('POST', '/api/2/auth/saml', { bearer, body: idp.providerBody() })
    const { id, assertion_url: acsUrl, metadata_url: audience } = provider.body
    const secondVerifier = async (facts: AnswerFacts) => {
      const { form } = await idp.answer({ requestId: '_any', acsUrl, audience }, facts)
      const body = { saml_response: form.SAMLResponse }
      const { steps } = (await call('POST', `/api/2/auth/saml/${id}/diagnose`, { bearer, body })).body
      return steps.filter(({ outcome }: { outcome: string }) => outcome !== 'held')
    }
    for (const sign of ['assertion', 'response', 'both'] as const)
      expect(await secondVerifier({ sign })).toEqual([])
    // Only node-saml refuses this: it counts conditions of every namespace.
    const conditions = '</saml:Conditions><x:Conditions xmlns:x="urn:x"/>'
    const change = { assertion: (xml: string) => replaced(xml, '</saml:Conditions>', conditions) }
    expect(await secondVerifier({ change })).toMatchObject([{ name: 'second_verifier', outcome: 'failed' }])
  })

  it('returns the current user', async () => {
    const { status, body } = await call('GET', '/api/2/users/me', { bearer })
    expect(status).toBe(200)
    expect(body.username).toBe('admin')
  })

  it('answers unknown paths with 404 and other methods with 405', async () => {
    expect(await call('GET', '/api/2/nothing')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    const wrongMethod = await call('DELETE', '/api/2/auth/login')
    expect(wrongMethod).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
    expect(wrongMethod.headers.get('allow')).toBe('POST')
  })

  it('forwards all audit events of these tests to the bus, and no other item', async () => {
    const { tableName, eventBridge } = deployment
    const table = openTable({ tableName, endpoint: process.env['DYNAMODB_ENDPOINT'] })
    const stored = await readAuditItems(table)
    expect(stored.length).toBeGreaterThan(50)
    const forward = deployment.functions.get(functionId('AuditForward'))
    const deliver = (...keys: readonly Key[]) =>
      forward?.invoke({
        Records: keys.map(({ pk, sk }) => ({
          eventName: 'INSERT',
          dynamodb: { SequenceNumber: sk, Keys: { pk: { S: pk }, sk: { S: sk } } },
        })),
      })
    expect(await deliver(...stored)).toEqual({ batchItemFailures: [] })
    expect(eventBridge.events.map(({ Detail }) => JSON.parse(Detail).record.sk.S)).toEqual(
      stored.map(({ sk }) => sk),
    )
    await expect(deliver(userKey(1))).rejects.toThrow('not authorized')
    expect(deployment.takeDenials()).toEqual([expect.stringContaining('dynamodb:BatchGetItem')])
    expect(eventBridge.events).toHaveLength(stored.length)
  })

  it('signs out immediately', async () => {
    expect((await call('POST', '/api/2/auth/logout', { bearer })).status).toBe(204)
    expect((await call('GET', '/api/2/users/me', { bearer })).status).toBe(401)
    expect((await call('POST', '/api/2/auth/ticket', { bearer, body: {} })).status).toBe(401)
  })

  it('signs JWTs with a key that KMS decrypts', async () => {
    const { body } = await call('POST', '/api/2/auth/login', {
      body: { username: 'admin', password: adminPassword },
    })
    for (let count = 0; count < 3; count++) {
      const answer = await call('POST', '/api/2/auth/jwt', { bearer: body.session_key, body: {} })
      expect(answer.status, answer.text).toBe(200)
    }
  })

  it('calls every function', async () => {
    const first = new Map(
      routesOf(synthesis.template).map(({ routeKey, target }) => [target, routeKey] as const),
    )
    const { body } = await call('POST', '/api/2/auth/login', {
      body: { username: 'admin', password: adminPassword },
    })
    for (const [target, routeKey] of first) {
      const [, path = '/unknown'] = routeKey.split(' ')
      const method = operations.find((operation) => operation.path === path)?.method ?? 'GET'
      const answer = await call(method, path.replaceAll(/\{\w+\}/g, '1'), { bearer: body.session_key })
      expect(answer.headers.get('x-request-id'), target).toBeTruthy()
      expect([500, 502, 503], `${target}: ${answer.text}`).not.toContain(answer.status)
    }
    // Called by CloudFormation, by the table's stream, by topics, schedules and events, and by the APIs of products.
    const others = [
      'FirstAdmin',
      'Mailer',
      'MailEvents',
      'SamlRefresh',
      'SigningKeys',
      'AuditChain',
      'AuditForward',
      'Authorizer',
      'BackchannelLogout',
    ].map(functionId)
    expect([...first.keys(), ...others].sort()).toEqual(
      resourcesOf(synthesis.template, 'AWS::Lambda::Function')
        .map(([id]) => id)
        .sort(),
    )
  })
})
