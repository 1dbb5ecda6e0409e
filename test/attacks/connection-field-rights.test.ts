import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { entries } from '../../lib/features/configuration/document.models.ts'
import {
  OIDCConnectionCreate,
  OIDCConnectionPartialUpdate,
  oidcFields,
} from '../../lib/features/connections/oidc/models.ts'
import { getProviderRow } from '../../lib/features/connections/oidc/providers/rows.ts'
import { connectionSettings } from '../../lib/features/connections/rules.models.ts'
import {
  SAMLProviderPartialUpdate,
  SAMLProviderUpdate,
  samlFields,
} from '../../lib/features/connections/saml/models.ts'
import type { FieldCaller, Rights } from '../../lib/kernel/contract/field-rights.ts'
import { makeCertificate } from '../support/certificates.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { addOrganization } from '../support/organization-invitations.ts'
import { addSignedIn, callAs } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Connections decide who signs in. Each kind of caller sends another value of each field, and looks for each field in what they read. A
 * connection of an organization, and one for everybody, has no field that decides about more than its own people.
 */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
const outsider = await addSignedIn(service)
const asAdmin = callAs(service, admin)
const organization = await addOrganization(service, admin)
const [idp, other, own] = await Promise.all(
  ['idp', 'other', 'own'].map((name) => makeCertificate({ name: `rights-${name}` })),
)
if (!idp || !other || !own) throw new Error('a certificate is missing')
const made = async (answer: Promise<Answer>): Promise<JsonValue> => {
  const { status, body, text } = await answer
  expect(status, text).toBe(201)
  return body
}
const template = await made(asAdmin('POST', 'user-templates', { name: 'Staff', permissions: [], groups: [] }))
const token = await made(
  asAdmin('POST', 'api-tokens', { name: 'Providers', scopes: ['saml-providers:manage'] }),
)

const values: Readonly<Record<string, JsonValue>> = {
  name: 'Other',
  disabled_in_client: true,
  auto_create_users: true,
  auto_create_groups: true,
  auto_sync_groups: true,
  allowed_groups: ['staff'],
  user_template: template.id,
  organization_id: organization.id,
  default_organization_roles: ['admin'],
  required_for_domains: true,
  exempt_users: [admin.user.id],
  attribute_mapping: { username_from: null, email_from: 'mail', full_name_from: null, groups_from: null },
  required_authn_contexts: ['urn:example:any'],
  multi_factor_authn_contexts: ['urn:example:two-factor'],
  entity_id: 'urn:idp:rights-other',
  sso_url: 'https://other.example.com/sso',
  slo_url: 'https://other.example.com/slo',
  certificate: other.pem,
  sp_certificate: own.pem,
  sp_certificate_key: own.keyPem,
  nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  metadata_url_source: 'https://other.example.com/metadata',
  nameid_attribute: 'uid',
  issuer: 'https://other.example.com',
  client_id: 'other',
  client_secret: 'Another secret',
  token_endpoint_auth_method: 'client_secret_post',
  scopes: ['openid', 'email'],
  hosted_domain: 'example.net',
  public_provider: 'oidc',
  first_sign_in: 'create',
  apple_team_id: 'ABCDE12345',
  apple_key_id: 'ABCDE12345',
  apple_app_id: 'com.example.app',
}
/** What the service requires with it. */
const and: Readonly<Record<string, object>> = {
  issuer: { client_secret: 'Another secret' },
  sp_certificate: { sp_certificate_key: own.keyPem },
  sp_certificate_key: { sp_certificate: own.pem },
}

const kinds = {
  saml: {
    path: 'auth/saml',
    rights: samlFields as Rights,
    shapes: [SAMLProviderUpdate.def.shape, SAMLProviderPartialUpdate.def.shape],
    entry: entries.saml_provider.def.shape,
    isForEveryone: true,
    /** The fields that everyone sees. One more is a decision, which belongs here. */
    opened: [
      ...['id', 'name', 'disabled_in_client', 'login_url', 'logout_url', 'metadata_url', 'assertion_url'],
      ...['entity_id', 'sso_url', 'slo_url', 'certificate'],
      ...['sp_certificate', 'sp_certificate_key', 'nameid_format'],
      ...['auto_create_users', 'auto_create_groups', 'auto_sync_groups', 'user_template'],
    ],
    create: (more: object = {}) =>
      asAdmin('POST', 'auth/saml', {
        ...{ entity_id: `urn:idp:${randomUUID()}`, sso_url: 'https://idp.example.com/sso' },
        ...{ certificate: idp.pem, sp_certificate: idp.pem, sp_certificate_key: idp.keyPem, name: 'Company' },
        ...more,
      }),
    /** Fields that every change, or every change of this connection, is refused for. */
    refused: ['organization_id', 'default_organization_roles'],
  },
  oidc: {
    path: 'auth/oidc-connections',
    rights: oidcFields as Rights,
    shapes: [OIDCConnectionCreate.def.shape, OIDCConnectionPartialUpdate.def.shape],
    entry: entries.oidc_connection.def.shape,
    isForEveryone: false,
    opened: [],
    create: (more: object = {}) =>
      asAdmin('POST', 'auth/oidc-connections', {
        ...{ name: `Company ${randomUUID()}`, issuer: 'https://idp.example.com' },
        ...{ client_id: randomUUID(), client_secret: 'A secret' },
        ...more,
      }),
    refused: [
      ...['organization_id', 'default_organization_roles', 'public_provider', 'first_sign_in'],
      ...['apple_team_id', 'apple_key_id', 'apple_app_id'],
    ],
  },
}
const secrets = ['client_secret', 'sp_certificate_key']

interface Caller {
  readonly bearer?: string
  readonly is: readonly FieldCaller[]
}
const callers: readonly (readonly [string, Caller])[] = [
  ['an administrator', { bearer: admin.bearer, is: ['service'] }],
  ['an API token of an administrator', { bearer: token.token, is: ['api_token'] }],
  ['an owner of an organization', { bearer: organization.owner.bearer, is: ['everyone'] }],
  ['somebody else', { bearer: outsider.bearer, is: ['everyone'] }],
  ['a caller without a credential', { is: ['everyone'] }],
]

const overlaps = (some: readonly FieldCaller[] | undefined, others: readonly FieldCaller[]) =>
  some?.some((one) => others.includes(one)) ?? false

describe.each(Object.entries(kinds))('a %s connection', (kind, one) => {
  const { path, rights, shapes, entry, create, refused, isForEveryone, opened } = one
  const settable = [...new Set(shapes.flatMap((shape) => Object.keys(shape)))]

  it('is open to API tokens and to everyone in these fields alone', () => {
    const listOf = (right: 'by' | 'seenBy', caller: FieldCaller) =>
      Object.keys(rights).filter((name) => rights[name]?.[right]?.includes(caller))
    expect(listOf('by', 'api_token')).toEqual(['name', 'disabled_in_client'])
    expect(listOf('by', 'everyone')).toEqual([])
    expect(listOf('seenBy', 'everyone')).toEqual(opened)
  })

  it.each(callers)('%s sets the fields that are declared for them, and no other one', async (who, caller) => {
    // The operation that changes these connections takes no API token at all.
    const may = kind === 'oidc' && caller.is.includes('api_token') ? [] : caller.is
    for (const name of settable) {
      const { id } = await made(create())
      const read = async (): Promise<JsonValue> => (await asAdmin('GET', `${path}/${id}`)).body
      const before = await read()
      const body = { ...and[name], [name]: values[name] }
      const { bearer } = caller
      const answer = await service.client('PATCH', `/api/2/${path}/${id}`, {
        body,
        ...(bearer !== undefined && { bearer }),
      })
      const after = await read()
      const label = `${name} of ${who}: ${answer.text}`
      if (!overlaps(rights[name]?.by, may)) {
        expect([400, 401, 403], label).toContain(answer.status)
        if (answer.status === 400) expect(refused, label).toContain(name)
        expect(after, label).toEqual(before)
      } else if (refused.includes(name)) expect(answer.status, label).toBe(400)
      else {
        expect(answer.status, label).toBe(200)
        if (!secrets.includes(name)) expect(after[name], label).toEqual(values[name])
      }
    }
  })

  it.each(callers)('%s sees the fields that are declared for them, and no other one', async (_, caller) => {
    const { id } = await made(create())
    const { bearer } = caller
    const sent = bearer === undefined ? {} : { bearer }
    const { status, body } = await service.client('GET', `/api/2/${path}/${id}`, sent)
    // A token reads OpenID Connect connections as its administrator does, and SAML providers as everyone.
    const ofToken: readonly FieldCaller[] = isForEveryone ? ['everyone'] : ['service']
    const is = caller.is.includes('api_token') ? ofToken : caller.is
    if (!isForEveryone && !is.includes('service')) return expect([401, 403]).toContain(status)
    expect(status).toBe(200)
    const seen = Object.keys(rights).filter((name) => overlaps(rights[name]?.seenBy, is))
    expect(Object.keys(body).toSorted()).toEqual(seen.toSorted())
  })

  it('has the fields in a document that are declared for configuration', () => {
    const documented = settable.filter((name) => Object.hasOwn(entry, name))
    expect(documented).toEqual(settable.filter((name) => rights[name]?.by?.includes('configuration')))
  })

  it('of an organization has no field that decides about others', async () => {
    for (const [name, { ofOrganization: message }] of Object.entries(connectionSettings)) {
      const mine = { organization_id: organization.id }
      const { status, body, text } = await create({ ...mine, ...and[name], [name]: values[name] })
      const errors: readonly JsonValue[] = status === 400 ? body.errors : []
      const found = errors.filter(({ field }) => field === name).map((error) => error.message)
      if (message === true) expect(status, `${name}: ${text}`).toBe(201)
      else expect(found, name).toContain(message)
      if (status === 201) expect((await asAdmin('DELETE', `${path}/${body.id}`)).status).toBe(204)
    }
  })
})

describe('an oidc connection for everybody', () => {
  it('has no field that a company decides about its own people', async () => {
    const { fields } = getProviderRow({ public_provider: 'oidc' })
    for (const [name, rule] of Object.entries(fields)) {
      const everybody = { public_provider: 'oidc', issuer: `https://${randomUUID()}.example.com` }
      const { status, body } = await kinds.oidc.create({ ...everybody, ...and[name], [name]: values[name] })
      const errors: readonly JsonValue[] = status === 400 ? body.errors : []
      const found = errors.filter(({ field }) => field === name).map((error) => error.message)
      if (rule === 'settable')
        expect(found, name).not.toContain('is only for the identity provider of a company')
      else expect(found, name).toContain(rule.refusal)
    }
  })
})
