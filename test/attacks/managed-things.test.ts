import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { describePlan } from '../../cli/config/describe-plan.ts'
import { entries } from '../../lib/features/configuration/document.models.ts'
import { exportDocument } from '../../lib/features/configuration/export.part.ts'
import { planChanges } from '../../lib/features/configuration/plan.part.ts'
import { readDocument } from '../../lib/features/configuration/read-document.ts'
import { operations } from '../../lib/features/operations.ts'
import { settingsKinds, type ThingKind } from '../../lib/kernel/contract/managed-kinds.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { apply, createContext } from '../configuration/support.ts'
import { readAuditItems } from '../support/audit-items.ts'
import { makeIdp } from '../support/idp.ts'
import { makeGif, makePng } from '../support/images.ts'
import { addPerson, addSignedIn, callAs } from '../support/people.ts'
import { plainMetadata } from '../support/saml-metadata.ts'
import { SetupBrowser } from '../support/setup-browser.ts'
import { useService } from '../support/use-service.ts'

/** Holds back the next write of what a request changes, until the test lets it go. */
let held: { readonly key: string; readonly arrived: () => void; readonly release: Promise<void> } | undefined
const service = await useService(
  { ALLOWED_ORIGINS: 'https://shop.example', LINK_URL: 'Shop=https://shop.example/{id}' },
  {
    tableHooks: {
      refuse: async ({ action, input }) => {
        if (action !== 'TransactWriteItems' || !held || !JSON.stringify(input).includes(held.key))
          return undefined
        const { arrived, release } = held
        held = undefined
        arrived()
        await release
        return undefined
      },
    },
  },
)
const { services } = service
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const call = callAs(service, admin)
const token = (await call('POST', 'api-tokens', { name: 'terraform' })).body.token
const idp = await makeIdp()
const { certificate } = idp.providerBody()
const sso_url = idp.ssoUrl
const texts = { en: 'View films' }
const secrets = { ACME_SECRET: 'a-secret-of-acme' }
const audience = 'https://films.example.com/api'

const image = { content_type: 'image/png', data: makePng().toString('base64') }
const logo = { content_type: 'image/gif', data: makeGif().toString('base64') }

/** Everything that a document can have. */
const document = {
  schema_version: 1,
  owner: 'film-library',
  apis: { films: { name: 'Film API', audience, permissions: [{ name: 'films:view', texts }] } },
  groups: { viewers: { name: 'Viewers', permissions: ['films:view'] } },
  user_templates: { staff: { name: 'Staff', groups: ['viewers'] } },
  clients: { web: { name: 'Film library', redirect_uris: ['https://films.example.com/callback'] } },
  saml_providers: {
    acme: {
      name: 'Acme',
      entity_id: 'https://acme.example.com/',
      sso_url,
      certificate,
      domains: ['acme.com'],
    },
  },
  oidc_connections: {
    beta: {
      ...{ name: 'Beta', issuer: 'https://beta.example.com/', client_id: 'latchkey' },
      ...{ client_secret: { env: 'ACME_SECRET' }, domains: ['beta.example'] },
    },
  },
  user_attributes: { attributes: [{ name: 'department', type: 'text' }] },
  password_policy: { min_length: 14 },
  sign_in_policy: { second_factor_grace_days: 14 },
  sign_up_policy: { mode: 'open' },
  agent_policy: { hosts: [] },
  organization_policy: { creations_max: 2 },
  organization_roles: { roles: [] },
  branding: { product_name: 'Films', logo },
  products: { Shop: { product_name: 'Film shop', logo } },
  email_texts: {
    service: { sign_up: { en: { subject: 'Films', body: '[Go on]({link})' } } },
    'product:Shop': { access_link: { en: { body: '{account}\n[Open]({link})' } } },
  },
}
const applyDocument = () => apply(services, document, { secrets })
await applyDocument()

/** Service accounts are programs, whose access people can end. */
type SealedKind = Exclude<ThingKind, 'service_account'>

const things: Readonly<Record<SealedKind, string>> = {
  ...{ api: 'films', group: 'viewers', user_template: 'staff', client: 'web' },
  ...{ saml_provider: 'acme', oidc_connection: 'beta' },
}
const paths: Readonly<Record<SealedKind, string>> = {
  ...{ api: 'protected-apis', group: 'groups', user_template: 'user-templates', client: 'oidc-clients' },
  ...{ saml_provider: 'auth/saml', oidc_connection: 'auth/oidc-connections' },
}
const findId = async (kind: SealedKind): Promise<number> => {
  const { body } = await call('GET', `${paths[kind]}?limit=100`)
  const names: Record<SealedKind, string> = {
    ...{ api: 'Film API', group: 'Viewers', user_template: 'Staff', client: 'Film library' },
    ...{ saml_provider: 'Acme', oidc_connection: 'Beta' },
  }
  return body.find(({ name }: { readonly name: string }) => name === names[kind]).id
}
const ids = Object.fromEntries(
  await Promise.all(Object.keys(things).map(async (kind) => [kind, await findId(kind as SealedKind)])),
) as Record<SealedKind, number>

/** A change by each operation that changes what a document can manage. */
const attempts: Readonly<Record<string, readonly [kind: string, path: string, body?: object]>> = {
  patch_protected_api: ['api', `protected-apis/${ids.api}`, { name: 'Films' }],
  delete_protected_api: ['api', `protected-apis/${ids.api}`],
  update_group: ['group', `groups/${ids.group}`, { name: 'Viewers', permissions: ['films:edit'] }],
  patch_group: ['group', `groups/${ids.group}`, { permissions: ['films:edit'], members: [] }],
  delete_group: ['group', `groups/${ids.group}`],
  update_user_template: ['user_template', `user-templates/${ids.user_template}`, { name: 'Guests' }],
  patch_user_template: ['user_template', `user-templates/${ids.user_template}`, { permissions: ['a:b'] }],
  delete_user_template: ['user_template', `user-templates/${ids.user_template}`],
  patch_oidc_client: [
    'client',
    `oidc-clients/${ids.client}`,
    { redirect_uris: ['https://evil.example.com/'] },
  ],
  delete_oidc_client: ['client', `oidc-clients/${ids.client}`],
  update_saml_provider: [
    'saml_provider',
    `auth/saml/${ids.saml_provider}`,
    { name: 'Acme', entity_id: 'https://evil.example.com/', sso_url, certificate },
  ],
  patch_saml_provider: ['saml_provider', `auth/saml/${ids.saml_provider}`, { auto_create_users: true }],
  delete_saml_provider: ['saml_provider', `auth/saml/${ids.saml_provider}`],
  create_connection_domain: [
    'saml_provider',
    `auth/connections/${ids.saml_provider}/domains`,
    { domain: 'evil.example.org' },
  ],
  delete_connection_domain: ['saml_provider', `auth/connections/${ids.saml_provider}/domains/acme.com`],
  set_connection_scim: [
    'saml_provider',
    `auth/connections/${ids.saml_provider}/scim`,
    { enabled: true, match_to: 'user_name', match_attribute: null, creates_unknown_users: true },
  ],
  patch_oidc_connection: [
    'oidc_connection',
    `auth/oidc-connections/${ids.oidc_connection}`,
    { client_secret: 'of somebody else' },
  ],
  delete_oidc_connection: ['oidc_connection', `auth/oidc-connections/${ids.oidc_connection}`],
  update_user_attributes: ['user_attributes', 'system/user-attributes', { attributes: [] }],
  update_password_policy: ['password_policy', 'system/password-policy', { min_length: 8, rules: [] }],
  update_sign_in_policy: ['sign_in_policy', 'system/sign-in-policy', { second_factor_grace_days: 1 }],
  update_sign_up_policy: [
    'sign_up_policy',
    'system/sign-up-policy',
    { mode: 'domains', domains: ['evil.example.com'] },
  ],
  update_agent_policy: ['agent_policy', 'system/agent-policy', { hosts: ['evil.example.com'] }],
  update_organization_policy: ['organization_policy', 'organization-policy', { creation: 'everybody' }],
  update_organization_roles: [
    'organization_roles',
    'organization-roles',
    { roles: [{ key: 'evil', texts: { en: 'Evil' }, permissions: ['films:edit'] }] },
  ],
  update_branding: ['branding', 'branding', { product_name: 'Evil' }],
  patch_branding: ['branding', 'branding', { product_name: 'Evil' }],
  reset_branding: ['branding', 'branding'],
  upload_logo: ['branding', 'branding/logo', image],
  delete_logo: ['branding', 'branding/logo'],
  update_product_branding: ['product_branding', 'branding/products/Shop', { product_name: 'Evil' }],
  patch_product_branding: ['product_branding', 'branding/products/Shop', { product_name: 'Evil' }],
  reset_product_branding: ['product_branding', 'branding/products/Shop'],
  upload_product_logo: ['product_branding', 'branding/products/Shop/logo', image],
  delete_product_logo: ['product_branding', 'branding/products/Shop/logo'],
  update_email_text: [
    'email_texts',
    'branding/email-texts/service/sign_up/en',
    { subject: 'Evil', body: '[Go on]({link})' },
  ],
  reset_email_text: ['email_texts', 'branding/email-texts/service/sign_up/en'],
}

const keyOf = (kind: string): string => {
  if (kind === 'product_branding') return 'Shop'
  if (kind === 'email_texts') return 'service'
  return kind in things ? things[kind as SealedKind] : kind
}

/** Operations about a connection that a customer sets up. Its links and its seal are tried together below. */
const ofSetUp = [
  ...['take_saml_provider_live', 'create_saml_setup_link', 'set_saml_setup_metadata'],
  ...['check_saml_setup_domain', 'remove_saml_setup_domain', 'finish_saml_setup'],
  ...['start_saml_setup_directory', 'create_saml_setup_directory_token'],
]

/** What a document does not have, so people may change it on a thing that one manages. */
const leftToPeople = {
  // Secrets are in no document, and a leaked one has to be replaced at once.
  renew_oidc_client_secret: 'oidc_client.secret_renewed',
  end_oidc_client_secret: 'oidc_client.secret_ended',
  change_group_members: 'group.changed',
  // A document never vouches for a domain, and the DNS says whether it is theirs.
  // No document has the connection of an organization.
  delete_organization_sign_in: 'saml_provider.deleted',
  check_organization_domain: 'connection.domain_proven',
  remove_organization_domain: 'connection.domain_removed',
  approve_connection: 'connection.approved',
  stop_organization_sign_ins: 'connection.stopped',
  check_connection_domain: 'connection.domain_proven',
  vouch_for_connection_domain: 'connection.domain_vouched',
  // They read what the identity provider publishes, and make keys here.
  refresh_samlidp_metadata: 'saml_provider.refreshed',
  rotate_saml_sp_key: 'saml_provider.sp_key_added',
}

const find = (id: string): Operation => {
  const found = operations.find((op) => op.id === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found
}

/** The fields of a body, also of one that ignores those that only responses have. */
const shapeOf = ({ _zod: { def } }: z.core.$ZodType): object => {
  if (def instanceof Object && 'shape' in def) return def.shape as object
  return shapeOf((def as z.core.$ZodPipeDef).out)
}

const exportAll = () => exportDocument(services, createContext(services), 'film-library')

describe('what a document manages', () => {
  it.each(Object.entries(attempts))('cannot be changed by %s', async (id, [kind, path, body]) => {
    const { method, access } = find(id)
    const before = await exportAll()
    const acceptsTokens = access.allow !== 'anyone' && access.by.includes('api_token')
    const answer = await call(method, path, body)
    expect(answer.body, id).toMatchObject({
      status: 409,
      reason: 'managed',
      managed: { kind, owner: 'film-library', key: keyOf(kind) },
    })
    expect(answer.body.detail).toContain('film-library')
    if (acceptsTokens)
      expect([403, 409], id).toContain((await call(method, path, body, { bearer: token })).status)
    expect(await exportAll()).toEqual(before)
    expect(await applyDocument()).toEqual([])
  })

  it('is sealed for every operation that writes an audit event about a change of it', () => {
    const isChange = (event: string) =>
      /^(protected_api|group|user_template|oidc_client|saml_provider|saml_setup|oidc_connection|connection|user_attributes|password_policy|sign_in_policy|sign_up_policy|agent_policy|organization_policy|organization_roles|branding)\./.test(
        event,
      ) &&
      !/\.(created|member_added|link_created|link_opened|link_refused|link_revoked|access_ended)$/.test(event)
    // Those of clients change what clients describe themselves, which no document can manage.
    const writers = operations.filter(
      ({ audit = [], group }) => audit.some(isChange) && group !== 'oidc' && group !== 'connection-flow',
    )
    const sealed = operations.filter(({ seals }) => seals).map(({ id }) => id)
    expect(sealed.toSorted()).toEqual([...Object.keys(attempts), ...ofSetUp].toSorted())
    expect(
      writers
        .map(({ id }) => id)
        .filter((id) => !sealed.includes(id))
        .toSorted(),
    ).toEqual(Object.keys(leftToPeople).toSorted())
    for (const [id, event] of Object.entries(leftToPeople)) expect(find(id).audit, id).toContain(event)
  })

  it('stays changeable in exactly the fields that no document has', () => {
    for (const { id, seals, body } of operations.filter(
      ({ method, seals: one }) => one && method === 'PATCH',
    )) {
      const [kind] = seals?.kinds ?? []
      if (!kind || !body) throw new Error(id)
      const inDocument = Object.keys(entries[kind].def.shape)
      const given = Object.keys(shapeOf(body))
      // The key of a client is its `client_id`, and the audience of an API never changes.
      const left = given.filter((name) => !inDocument.includes(name) && name !== 'client_id')
      expect([...(seals?.leaves ?? [])].toSorted(), id).toEqual(left.toSorted())
    }
  })

  it('keeps its members, keys, exempt people and secrets in the hands of people', async () => {
    const { user } = await addPerson(service)
    const steps = [
      ['POST', `groups/${ids.group}/members`, { add: [user.id] }],
      ['PATCH', `groups/${ids.group}`, { members: [] }],
      ['PATCH', `auth/saml/${ids.saml_provider}`, { exempt_users: [user.id] }],
      ['POST', `auth/saml/${ids.saml_provider}/rotate-sp-key`],
      ['POST', `auth/connections/${ids.saml_provider}/domains/acme.com/vouch`],
      ['PATCH', `auth/oidc-connections/${ids.oidc_connection}`, { exempt_users: [] }],
      ['POST', `oidc-clients/${ids.client}/secret`, {}],
    ] as const
    for (const [method, path, body] of steps) {
      const answer = await call(method, path, body)
      expect([path, answer.status, answer.body?.detail]).toEqual([
        path,
        expect.toBeOneOf([200, 201, 204]),
        undefined,
      ])
    }
    expect(await applyDocument()).toEqual([])
  })

  it('is refused to a link with which a customer would set it up', async () => {
    const { body: setup } = await call('POST', 'auth/saml-setups', { name: 'Gamma' })
    const id = setup.saml_provider
    const [, link] = setup.url.split('#token=')
    const customer = new SetupBrowser(service)
    await customer.open(link)
    const entity_id = `https://gamma.example.com/`
    const { body } = await call('GET', `auth/saml/${id}`)
    await apply(services, {
      ...{ schema_version: 1, owner: 'other' },
      saml_providers: {
        gamma: { name: 'Gamma', entity_id: body.entity_id, sso_url, certificate, adopt: true },
      },
    })
    const answers = [
      await call('POST', `auth/saml/${id}/live`, { name: 'Gamma', entity_id, sso_url, certificate }),
      await call('POST', `auth/saml/${id}/setup-links`),
      await customer.use(link, '/domains', { domain: 'gamma.example.org' }),
      await customer.use(link, '/metadata', {
        xml: plainMetadata({ entityId: entity_id, ssoUrl: sso_url, certificates: [idp.signer] }),
      }),
    ]
    const refusal = { status: 409, managed: { kind: 'saml_provider', key: 'gamma', owner: 'other' } }
    expect(answers.map(({ body: answer }) => answer)).toMatchObject(answers.map(() => refusal))
  })

  it('is refused to a change that began before the document took it over', async () => {
    const { body: group } = await call('POST', 'groups', { name: 'Editors', permissions: ['films:view'] })
    const arrival = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    held = { key: `"group#${group.id}"`, arrived: arrival.resolve, release: release.promise }
    const changed = call('PATCH', `groups/${group.id}`, { permissions: ['films:edit'] })
    await arrival.promise
    const editors = { name: 'Editors', permissions: ['films:view'], adopt: true }
    const later = { schema_version: 1, owner: 'editing', groups: { editors } }
    await apply(services, later)
    release.resolve()
    expect((await changed).body).toMatchObject({ status: 409, reason: 'managed' })
    expect(await apply(services, later)).toEqual([])
  })
})

describe('an administrator', () => {
  it('finds what documents manage, by ID, and settings', async () => {
    const free = (await call('POST', 'groups', { name: 'Free' })).body.id
    const found = await call('GET', `system/managed/group?ids=${free},${ids.group},${ids.group}`)
    expect(found.body).toEqual([
      {
        ...{ kind: 'group', id: ids.group, key: 'viewers', owner: 'film-library' },
        ...{ unlocked_by: null, unlocked_at: null },
      },
    ])
    for (const kind of settingsKinds) {
      const keys = [keyOf(kind), ...(kind === 'email_texts' ? ['product:Shop'] : [])]
      expect((await call('GET', `system/managed/${kind}`)).body).toMatchObject(
        keys.map((key) => ({ kind, key })),
      )
    }
    expect((await call('GET', 'system/managed/constructor')).status).toBe(404)
  })

  it('still writes the words of organizations, which no document has', async () => {
    const { body } = await call('POST', 'organizations', { name: 'Acme', slug: 'acme' })
    const words = { subject: 'Join', body: '{inviter} {organization}\n[Join]({link})' }
    const path = `branding/email-texts/organization:${body.id}/organization_invitation/en`
    expect((await call('PUT', path, words)).status).toBe(200)
    expect((await call('DELETE', path)).status).toBe(204)
  })

  it('unlocks a thing in an emergency, until its document is applied again, which says who it was', async () => {
    const path = `groups/${ids.group}`
    const unlock = () => call('POST', 'system/managed/group/viewers/unlock')
    const { body } = await unlock()
    expect(body).toMatchObject({ key: 'viewers', unlocked_by: admin.user.id })
    // The second time, the first stays noted.
    expect((await unlock()).body).toEqual(body)
    expect((await call('GET', `system/managed/group?ids=${ids.group}`)).body).toEqual([body])
    expect((await call('PATCH', path, { permissions: ['films:edit'] })).status).toBe(200)
    // Everything else stays sealed.
    expect((await call('DELETE', `protected-apis/${ids.api}`)).body).toMatchObject({ reason: 'managed' })
    const plan = await planChanges(services, createContext(services), readDocument(document), {
      prune: false,
    })
    expect(describePlan(plan)).toContain(
      `~ group viewers (gives rights)\n    was unlocked for changes by hand: by user ${admin.user.id}, at ${body.unlocked_at}\n    permissions: ["films:edit"] -> ["films:view"]`,
    )
    expect(await applyDocument()).toHaveLength(1)
    expect((await call('GET', path)).body.permissions).toEqual(['films:view'])
    expect((await call('PATCH', path, { permissions: [] })).body).toMatchObject({ reason: 'managed' })
    const events = (await readAuditItems(services.table)).filter(({ event }) => event === 'managed.unlocked')
    expect(events).toMatchObject([{ actor: admin.user.id, target: 'group viewers' }])
  })

  it('has it locked again although nobody changed it', async () => {
    await call('POST', 'system/managed/branding/branding/unlock')
    expect(await applyDocument()).toMatchObject([{ kind: 'branding', action: 'update', fields: [] }])
    expect((await call('PATCH', 'branding', { product_name: 'Evil' })).body).toMatchObject({
      reason: 'managed',
    })
    expect(await applyDocument()).toEqual([])
  })

  it('unlocks the branding of one product, and neither that of the service nor of others', async () => {
    expect((await call('POST', 'system/managed/product_branding/Shop/unlock')).body).toMatchObject({
      ...{ kind: 'product_branding', key: 'Shop', unlocked_by: admin.user.id },
    })
    expect((await call('PUT', 'branding/products/Shop/logo', image)).status).toBe(200)
    expect((await call('PUT', 'branding/logo', image)).body).toMatchObject({ reason: 'managed' })
    for (const name of ['shop', '__proto__', 'Shop%00', 'product_branding'])
      expect((await call('POST', `system/managed/product_branding/${name}/unlock`)).status, name).toBe(404)
    expect(await applyDocument()).toMatchObject([{ kind: 'product_branding', key: 'Shop', action: 'update' }])
    expect((await call('DELETE', 'branding/products/Shop/logo')).body).toMatchObject({ reason: 'managed' })
    expect(await applyDocument()).toEqual([])
  })

  it('unlocks it once, however often they ask at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', 'system/managed/client/web/unlock')),
    )
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ text }) => text)).size).toBe(1)
    expect(answers.every(({ status }) => status === 200 || status === 409 || status === 429)).toBe(true)
    const events = (await readAuditItems(services.table)).filter(
      ({ event, target }) => event === 'managed.unlocked' && target === 'client web',
    )
    expect(events).toHaveLength(1)
    await applyDocument()
  })

  it('is the only one who does, with a session, and only for what is managed', async () => {
    const manager = await addSignedIn(service, { permissions: ['users:manage', 'users:view'] })
    const path = 'system/managed/group/viewers/unlock'
    expect((await call('POST', path, undefined, manager)).status).toBe(403)
    expect((await call('POST', path, undefined, { bearer: token })).status).toBe(403)
    for (const unknown of ['group/nobody', '__proto__/viewers', 'client/viewers', 'group/viewers%23'])
      expect((await call('POST', `system/managed/${unknown}/unlock`)).status, unknown).toBe(404)
    expect((await call('PATCH', `groups/${ids.group}`, { permissions: [] })).body).toMatchObject({
      reason: 'managed',
    })
  })
})
