import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { applyByFunction, deployerArn, sendConfig } from '../support/config-function.ts'
import { makeIdp } from '../support/idp.ts'
import { makePng } from '../support/images.ts'
import { startLogoutReceiver, useClient } from '../support/logout-receiver.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { seedSamlSession, userOfSession } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/* A pipeline configures a service by its function, with the key of AWS alone. */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const idp = await makeIdp()
const { certificate, sso_url } = idp.providerBody()
const texts = { en: 'Films' }
const secrets = { ACME_SECRET: 'a-secret-of-acme' }

const createDocument = (name = `films-${randomUUID().slice(0, 8)}`) => {
  const audience = `https://${name}.example.com/api`
  return {
    schema_version: 1,
    owner: name,
    apis: {
      [name]: {
        name,
        audience,
        permissions: [{ name: 'films:view', texts }],
        scopes: [{ name: 'films.read', texts, permissions: ['films:view'] }],
      },
    },
    groups: { [name]: { name, permissions: ['films:view'] } },
    user_templates: { [name]: { name, groups: [name] } },
    clients: {
      [name]: {
        name,
        redirect_uris: [`https://${name}.example.com/callback`],
        apis: [{ audience, scopes: ['films.read'] }],
        machine_permissions: ['films:view'],
        machine_groups: [name],
      },
    },
    saml_providers: {
      [name]: {
        ...{ name, entity_id: `https://${name}.example.com/`, sso_url, certificate },
        ...{ user_template: name, domains: [`${name}.com`], auto_create_users: true },
      },
    },
    oidc_connections: {
      [name]: {
        ...{ name, issuer: `https://${name}.example.com/`, client_id: name, user_template: name },
        ...{ client_secret: { env: 'ACME_SECRET' }, domains: [`${name}.org`] },
      },
    },
    service_accounts: {
      [name]: { permissions: ['films:view'], groups: [name], scopes: ['films:view'] },
    },
  }
}

const attributes = [{ name: 'desk', type: 'text' }]
const logo = { content_type: 'image/png', data: makePng().toString('base64') }
const settings = {
  user_attributes: { attributes },
  password_policy: { min_length: 14 },
  sign_in_policy: { allow_email_codes: true },
  sign_up_policy: { mode: 'open' },
  agent_policy: { hosts: ['agent.example.com'] },
  organization_policy: { creation: 'everybody' },
  organization_roles: { roles: [{ key: 'lead', texts: { en: 'Lead' }, permissions: ['films:view'] }] },
  branding: { product_name: 'Films', logo },
}

const requireUser = async (id: number) => {
  const user = await findUser(service.services.table, id)
  if (!user) throw new Error(`there is no user ${id}`)
  return user
}
const listEvents = async (event: string) =>
  (await call('GET', `auth/audit-events?event=${event}&limit=100`)).body

describe('a pipeline', () => {
  const document = createDocument()
  const { owner } = document
  const desk = {
    ...{ name: 'desk', source: 'attribute', value: 'desk', outputs: ['access_token'] },
    ...{ clients: [owner], apis: [`https://${owner}.example.com/api`] },
  }
  const whole = { ...document, ...settings, user_attributes: { attributes, claims: [desk] } }

  it('applies all kinds of things and settings, each change with the principal that IAM proved', async () => {
    const { status, body, changes } = await applyByFunction(service, whole, { secrets })
    expect([status, body.errors, body.rest]).toEqual([200, [], null])
    expect(changes.map(({ action, kind }) => `${action} ${kind}`)).toEqual([
      ...['create api', 'create group', 'create user_template', 'create client'],
      ...['create saml_provider', 'create oidc_connection', 'create service_account'],
      'adopt user_attributes',
      ...['adopt password_policy', 'adopt sign_in_policy', 'adopt sign_up_policy'],
      ...['adopt agent_policy', 'adopt organization_policy', 'adopt organization_roles', 'adopt branding'],
    ])
    const [, , , { outputs }] = body.applied
    expect(outputs).toEqual({ client_id: owner, client_secret: expect.stringMatching(/^lko_/) })
    expect(body.outputs.clients).toEqual({ [owner]: { client_id: owner } })
    expect(body.outputs.saml_providers[owner]).toMatchObject({ assertion_url: expect.any(String) })
    expect(service.log.join('\n')).not.toMatch(new RegExp(`${outputs.client_secret}|${secrets.ACME_SECRET}`))

    expect(await listEvents('oidc_client.created')).toMatchObject([
      { credential: 'configuration', actor: null, actor_principal: deployerArn, ip: '192.0.2.7' },
    ])
    // Other callers have none.
    await call('POST', 'groups', { name: `${owner} clicked`, permissions: [] })
    const created = await listEvents('group.created')
    expect(created).toMatchObject([{ actor: admin.user.id }, { actor: null, actor_principal: deployerArn }])
    expect(created[0]).not.toHaveProperty('actor_principal')
  })

  it('finds nothing to do the second time, and gets the outputs without secrets again', async () => {
    const { body, changes } = await applyByFunction(service, whole, { secrets })
    expect(new Set(changes.map(({ action }) => action))).toEqual(new Set(['none']))
    expect(body).toMatchObject({ applied: [], errors: [], rest: null })
    expect(body.outputs.clients).toEqual({ [owner]: { client_id: owner } })
  })

  it('exports what the service has, and the export changes nothing', async () => {
    const { status, body } = await sendConfig(service, '/export', { owner })
    expect(status).toBe(200)
    expect(body.document.clients).toHaveProperty([owner, 'name'], owner)
    expect(body.document.branding).toEqual({ product_name: 'Films', logo })
    expect(JSON.stringify(body)).not.toContain(secrets.ACME_SECRET)
  })

  it('changes a field of each, and deletes what it leaves out when asked to', async () => {
    const change = <Entry extends object>(list: Readonly<Record<string, Entry>>, fields: object) =>
      Object.fromEntries(Object.entries(list).map(([key, entry]) => [key, { ...entry, ...fields }]))
    const renamed = { name: `${owner} 2` }
    const providers = (await call('GET', 'auth/saml?limit=100')).body
    const provider = providers.find(({ name }: { readonly name: string }) => name === owner)
    await call('POST', `auth/connections/${provider.id}/domains/${owner}.com/vouch`)
    const { body } = await applyByFunction(
      service,
      {
        ...whole,
        apis: change(document.apis, renamed),
        groups: {
          ...change(document.groups, renamed),
          [`${owner}-admins`]: { name: `${owner} admins`, permissions: ['system:admin-access'] },
        },
        user_templates: change(document.user_templates, renamed),
        clients: change(document.clients, renamed),
        saml_providers: change(document.saml_providers, {
          ...renamed,
          domains: [`${owner}.com`, `${owner}.net`],
          required_for_domains: true,
        }),
        oidc_connections: change(document.oidc_connections, {
          ...renamed,
          client_secret: { env: 'ACME_SECRET', version: 2 },
        }),
        password_policy: { min_length: 15 },
        sign_in_policy: {},
        sign_up_policy: { mode: 'off' },
        branding: { product_name: 'Movies' },
      },
      { secrets },
    )
    expect([body.errors, body.rest, body.applied?.length]).toEqual([[], null, 11])

    // People use all of it by now.
    const receiver = closeAfterTests(await startLogoutReceiver(service))
    const product = await receiver.addClient()
    const member = await addPerson(service)
    const [group] = (await call('GET', `groups?name=${owner} 2`)).body
    await call('POST', `groups/${group.id}/members`, { add: [{ id: member.user.id }] })
    const { value } = await seedSamlSession(service, provider, await requireUser(member.user.id))
    await useClient(service, value, product.client, member.user.id)
    expect(await userOfSession(service, value)).toBe(member.user.id)

    // A value of a user is lost only if the document says so.
    const person = await addPerson(service)
    await call('PATCH', `users/${person.user.id}`, { attributes: [{ name: 'desk', value: '4' }] })
    const empty = { schema_version: 1, owner, user_attributes: { attributes: [] } }
    const lost = await applyByFunction(service, empty)
    expect(lost.body.errors).toMatchObject([{ field: 'user_attributes.attributes' }])
    const pruned = await applyByFunction(
      service,
      { ...empty, user_attributes: { attributes: [], delete_values: ['desk'] } },
      { prune: true },
    )
    expect([pruned.body.errors, pruned.body.rest]).toEqual([[], null])
    expect(await userOfSession(service, value)).toBeUndefined()
    expect((await call('GET', `oidc-clients?filter=${owner}`)).body).toEqual([])
    expect((await listEvents('oidc_client.deleted'))[0]).toMatchObject({ actor_principal: deployerArn })
  })

  it('creates again what somebody deleted', async () => {
    const again = createDocument()
    await applyByFunction(service, again, { secrets })
    const [client] = (await call('GET', `oidc-clients?filter=${again.owner}`)).body
    await call('POST', `system/managed/client/${again.owner}/unlock`)
    await call('DELETE', `oidc-clients/${client.id}`)
    const { body } = await applyByFunction(service, again, { secrets })
    expect(body.applied).toMatchObject([{ change: { kind: 'client' }, outputs: { client_id: again.owner } }])
  })
})

describe('the pipeline of a product', () => {
  const asProduct = { product: 'shop' } as const
  const createProduct = () => {
    const { schema_version, owner, apis, clients } = createDocument()
    const [[key = '', client] = []] = Object.entries(clients)
    return { schema_version, owner, apis, clients: { [key]: { ...client, machine_groups: [] } } }
  }

  it('creates, changes and deletes its API and its client', async () => {
    const document = createProduct()
    const { owner } = document
    const { body } = await applyByFunction(service, document, {}, asProduct)
    expect([body.errors, body.rest, body.applied?.length]).toEqual([[], null, 2])
    const again = await applyByFunction(service, document, {}, asProduct)
    expect([again.body.applied, again.body.rest]).toEqual([[], null])
    const rename = <Entry extends object>(list: Readonly<Record<string, Entry>>) =>
      Object.fromEntries(Object.entries(list).map(([key, entry]) => [key, { ...entry, name: `${owner} 2` }]))
    const renamed = { ...document, apis: rename(document.apis), clients: rename(document.clients) }
    const changed = await applyByFunction(service, renamed, {}, asProduct)
    expect([changed.body.errors, changed.body.applied?.length]).toEqual([[], 2])
    const [client] = (await call('GET', `oidc-clients?filter=${owner}`)).body
    expect(await call('PATCH', `oidc-clients/${client.id}`, { name: 'mine' })).toMatchObject({
      status: 409,
      body: { managed: { owner: `product/shop/${owner}` } },
    })
    await call('POST', `system/managed/client/${owner}/unlock`)
    const locked = await applyByFunction(service, renamed, {}, asProduct)
    expect(locked.body.applied).toMatchObject([{ change: { kind: 'client' } }])
    const { schema_version } = document
    const pruned = await applyByFunction(service, { schema_version, owner }, { prune: true }, asProduct)
    expect([pruned.body.errors, pruned.body.applied?.length]).toEqual([[], 2])
    expect((await call('GET', `oidc-clients?filter=${owner}`)).body).toEqual([])
    expect((await listEvents('oidc_client.deleted'))[0]).toMatchObject({ actor_principal: deployerArn })
  })

  it('cannot change what a file of administrators has, and the other way round', async () => {
    const document = createProduct()
    const { owner } = document
    await applyByFunction(service, document)
    const taken = await applyByFunction(service, document, { prune: true }, asProduct)
    expect(taken.body.errors).toEqual(
      ['apis', 'clients'].map((list) => ({
        field: `${list}.${owner}`,
        message: `belongs to ${owner}. The command latchkey config transfer can give it to another owner`,
      })),
    )
    const empty = { schema_version: 1, owner }
    const pruned = await applyByFunction(service, empty, { prune: true }, asProduct)
    expect(pruned.body).toMatchObject({ applied: [], rest: null })
    expect((await call('GET', `oidc-clients?filter=${owner}`)).body).toHaveLength(1)

    const theirs = createProduct()
    await applyByFunction(service, theirs, {}, asProduct)
    expect((await applyByFunction(service, theirs)).body.errors).toHaveLength(2)
    const moved = await sendConfig(service, '/transfer', {
      ...{ from: `product/shop/${theirs.owner}`, to: theirs.owner, is_dry_run: false },
    })
    expect(moved.body.things).toHaveLength(2)
    expect((await applyByFunction(service, theirs)).body).toMatchObject({ errors: [], rest: null })
    expect((await applyByFunction(service, theirs, {}, asProduct)).body.errors).toHaveLength(2)
    const forged = { ...theirs, owner: `product/shop/${theirs.owner}` }
    expect((await applyByFunction(service, forged)).body.errors).toMatchObject([{ field: 'owner' }])
  })

  it('exports nothing', async () => {
    expect(await sendConfig(service, '/export', { owner: 'films' }, asProduct)).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    })
  })
})

describe('a request that is wrong', () => {
  const refuse = async (
    ...request: Parameters<typeof sendConfig> extends [unknown, ...infer Rest] ? Rest : []
  ) => {
    const { status, headers, body } = await sendConfig(service, ...request)
    expect(headers['content-type']).toBe('application/problem+json')
    return { status, ...body }
  }
  const document = { schema_version: 1, owner: 'nobody' }
  const errorsOf = async (given: unknown, more: object = {}) =>
    (await refuse('/plan', { document: given, ...more })).errors

  it.each([
    ['without a signature', { userArn: null }],
    ['with an empty caller', { userArn: '' }],
    [
      'that only claims to come from the URL',
      { invokedAs: 'arn:aws:lambda:eu-west-1:111122223333:function:config' },
    ],
    [
      'of a version of the function',
      { invokedAs: 'arn:aws:lambda:eu-west-1:111122223333:function:config:7' },
    ],
  ])('is refused %s', async (_, request) => {
    expect(await refuse('/export', { owner: 'a' }, request)).toMatchObject({
      status: 403,
      code: 'permission_denied',
    })
  })

  it.each([
    ['of another path', '/__proto__', {}, 404],
    ['of another method', '/plan', { method: 'GET' }, 405],
    ['of another type', '/plan', { headers: { 'content-type': 'text/yaml' } }, 415],
    ['of 5 MB', '/plan', { raw: JSON.stringify({ document: 'x'.repeat(5 * 1024 * 1024) }) }, 413],
    ['that is no JSON', '/plan', { raw: 'schema_version: 1' }, 400],
    ['with a repeated field', '/plan', { raw: '{"document":{},"document":{}}' }, 400],
    ['that is nested a thousand times', '/plan', { raw: '['.repeat(1000) + ']'.repeat(1000) }, 400],
    ['without a document', '/plan', { raw: 'null' }, 400],
    ['with an unknown field', '/plan', { raw: '{"document":{},"force":true}' }, 400],
    ['without a plan', '/apply', {}, 400],
    ['without an owner', '/export', { raw: '{}' }, 400],
    ['with an owner that is no key', '/export', { raw: '{"owner":"__proto__"}' }, 400],
  ])('is refused %s', async (_, path, request, status) => {
    expect((await refuse(path, { document }, request)).status).toBe(status)
  })

  it('lists all errors by their paths in the document', async () => {
    expect(await errorsOf({ schema_version: 2, owner: 'a' })).toMatchObject([{ field: 'schema_version' }])
    expect(
      await errorsOf(
        JSON.parse(
          '{"schema_version":1,"owner":"A","groups":{"__proto__":{"name":"a","permissions":[]},"constructor":{}},"client":{}}',
        ),
      ),
    ).toMatchObject([
      { field: 'owner' },
      { field: 'groups.constructor.name' },
      { field: 'client', message: 'is not recognized. Did you mean clients?' },
      { field: 'groups.__proto__' },
    ])
  })

  it('gets no secret that it does not bring', async () => {
    const { oidc_connections } = createDocument()
    for (const env of ['TABLE_NAME', 'AWS_SECRET_ACCESS_KEY', 'CONSTRUCTOR']) {
      const [[key = '', entry] = []] = Object.entries(oidc_connections)
      const wanted = { [key]: { ...entry, user_template: null, client_secret: { env } } }
      expect(await errorsOf({ ...document, oidc_connections: wanted })).toEqual([
        { field: `oidc_connections.${key}.client_secret.env`, message: `names ${env}, which is not set` },
      ])
    }
  })

  it('cannot change what another owner has, and half of nothing is applied', async () => {
    const theirs = createDocument()
    await applyByFunction(service, theirs, { secrets })
    const mine = {
      ...theirs,
      owner: 'somebody-else',
      groups: { 'mine-alone': { name: 'mine', permissions: [] } },
    }
    const { status, body } = await applyByFunction(service, mine, { secrets })
    expect(status).toBe(400)
    expect(body.errors).toContainEqual({
      field: `clients.${theirs.owner}`,
      message: `belongs to ${theirs.owner}. The command latchkey config transfer can give it to another owner`,
    })
    expect((await call('GET', 'groups?name=mine')).body).toEqual([])
  })

  it('applies no other plan than the one that was shown', async () => {
    const wanted = createDocument()
    const { body } = await sendConfig(service, '/plan', { document: wanted, secrets })
    await call('POST', 'groups', { name: wanted.owner, permissions: [] })
    const groups = { [wanted.owner]: { ...wanted.groups[wanted.owner], adopt: true } }
    const answer = await sendConfig(service, '/apply', {
      ...{ document: { ...wanted, groups }, secrets, plan: body.plan },
    })
    expect(answer).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect((await call('GET', `oidc-clients?filter=${wanted.owner}`)).body).toEqual([])
  })

  it('makes each thing once, also when ten requests run at the same time', async () => {
    const wanted = createDocument()
    const { body } = await sendConfig(service, '/plan', { document: wanted, secrets })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        sendConfig(service, '/apply', { document: wanted, secrets, plan: body.plan }),
      ),
    )
    const made = answers.flatMap((answer) => answer.body.applied ?? [])
    const clients = made.filter(({ change }) => change.kind === 'client')
    expect(clients.length).toBeLessThanOrEqual(1)
    await applyByFunction(service, wanted, { secrets })
    expect((await call('GET', `oidc-clients?filter=${wanted.owner}`)).body).toHaveLength(1)
    expect((await applyByFunction(service, wanted, { secrets })).body.applied).toEqual([])
  })
})
