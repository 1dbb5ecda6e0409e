import { isDeepStrictEqual } from 'node:util'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { makeCertificate } from '../support/certificates.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import { findReading, readDeclared, writes } from '../support/declared-fields.ts'
import { type ExampleRequest, type Examples, startExamples } from '../support/example-requests.ts'
import { makePng } from '../support/images.ts'
import { addPasskey, confirmWithPasskey } from '../support/passkeys.ts'

/*
 * What an administrator sets has to be what the service uses, and shows. A field that a body declares and a rule drops would
 * leave an object open that looks closed. The fields follow from the declarations, so that no operation is left out.
 */

let live: Examples
beforeAll(async () => {
  live = await startExamples()
})
afterAll(() => live.close())

const own = await makeCertificate({ name: 'service' })
const idp = await makeCertificate({ name: 'other' })

/** Operations that write what no other operation shows under the same names. */
const unread: Readonly<Record<string, string>> = {
  push_authorization_request: 'keeps a request of a client for the browser that follows',
  share_media_library_objects: 'creates an access link, as `create_access_token` does',
  create_saml_setup: 'creates a connection that waits for what the company sets, and a link to it',
  assign_connection_scim_user: 'names an account, which the list of people shows',
  assign_organization_scim_user: 'names an account, which the list of people shows',
  create_saml_setup_directory_token: 'a credential, of which only a hash is stored',
  set_onboarding: 'closes a list of steps, which the console then leaves out',
  sync_totp: 'learns how far the clock of a device is off',
  upload_logo: 'stores an image, which has an address of its own',
  upload_product_logo: 'stores an image, which has an address of its own',
}

/** Fields that no answer shows, by operation where others show them. */
const unshown: Readonly<Record<string, string>> = {
  'create_api_token.token': 'a credential, of which only a hash is stored',
  'create_passkey.credential': 'the proof of the authenticator, of which the service keeps the public key',
  'create_access_token.permissions': 'what the recipient may do: their session shows it',
  'create_access_token.organization': 'only for members of it, unlike the user of the example',
  'create_organization_invitation.valid_days': 'shown as the time at which the invitation expires',
  'create_organization_sign_in.kind': 'the fields of the other kind are refused with it',
  'create_organization_sign_in.client_id': 'only administrators of the service see it',
  'create_organization_sign_in.allows_directory':
    'for SAML alone, unlike the example: `scim-setup-link.test.ts` has it',
  'answer_own_directory.shown': 'names what the user saw',
  'create_organization_member.user': 'shown as an object. The only other user of the examples is a member',
  'patch_organization.required_connection':
    'only a connection of the organization, of which the example has none',
  'patch_oidc_connection.public_provider': 'can only be repeated: a change is refused',
  'patch_oidc_connection.first_sign_in': 'for a public connection, unlike the example',
  'create_oidc_connection.apple_team_id': 'for Apple alone: `apple-accounts.test.ts` has it',
  'create_oidc_connection.apple_key_id': 'for Apple alone: `apple-accounts.test.ts` has it',
  'create_oidc_connection.apple_app_id': 'for Apple alone: `apple-notifications.test.ts` has it',
  'patch_oidc_connection.apple_team_id': 'for Apple alone: `apple-accounts.test.ts` has it',
  'patch_oidc_connection.apple_key_id': 'for Apple alone: `apple-accounts.test.ts` has it',
  'patch_oidc_connection.apple_app_id': 'for Apple alone: `apple-notifications.test.ts` has it',
  'patch_oidc_connection.organization_id': 'can only be repeated: a change is refused',
  'patch_saml_provider.organization_id': 'can only be repeated: a change is refused',
  'update_saml_provider.organization_id': 'can only be repeated: a change is refused',
  'patch_oidc_connection.default_organization_roles':
    'for a connection of an organization, unlike the example',
  'patch_saml_provider.default_organization_roles': 'for a connection of an organization, unlike the example',
  'update_saml_provider.default_organization_roles':
    'for a connection of an organization, unlike the example',
  'set_connection_scim.group_roles': 'for a connection of an organization, unlike the example',
  'set_organization_scim.user_attributes': 'can only be repeated: a change is refused',
  'set_connection_scim.client_id': 'names a client with keys alone: see scim-keys.test.ts',
  'set_organization_scim.client_id': 'names a client with keys alone: see scim-keys.test.ts',
  'patch_oidc_client.client_id': 'can only be repeated: a change is refused',
  'patch_oidc_client.type': 'can only be repeated: a change is refused',
  'patch_protected_api.audience': 'can only be repeated: a change is refused',
  'update_email_text.version': 'says what was read: see own-email-texts.test.ts',
  'update_organization_email_text.version': 'says what was read: see own-email-texts.test.ts',
  'update_organization_branding.sender_name': 'needs a proven domain: see email-senders.test.ts',
  'update_organization_branding.reply_to': 'needs a proven domain: see email-senders.test.ts',
  sp_certificate_key: 'a secret, which is encrypted and masked: `sp_certificate` comes with it',
  client_secret: 'a secret, which is encrypted and masked',
}

interface Change {
  readonly given: JsonValue
  /** Other fields that the service requires with it. */
  readonly and?: object
  /** What is shown, if it has another form. */
  readonly shows?: object
}

const change = (given: JsonValue, more: Omit<Change, 'given'> = {}): Change => ({ given, ...more })
const changes = (...values: readonly JsonValue[]): readonly Change[] => values.map((given) => change(given))
const url = 'https://www.example.com/new'
/** A provider that everybody can have an account at creates nobody by the rules of a company. */
const ofEverybody = (name: string) => ({
  issuer: `https://${name}.example.net`,
  auto_create_users: false,
})
const { publicKey: key } = await generateKeyPair('ES256')
const publicKey = await exportJWK(key)
/** What a client needs to get tokens for itself. */
const machine = {
  apis: [{ audience: 'https://music.example.com', scopes: [] }],
  machine_permissions: ['users:view'],
}

/** What a connection of an organization cannot do. */
const ofOrganization = { required_for_domains: false, auto_create_groups: false, auto_sync_groups: false }

const bundle = { id: 99, name: 'Bundle', asset: 8 }
const directory = { id: 98, name: 'Directory' }
const recipient = 'new@example.com'
const uploadedLogo = { content_type: 'image/png', data: makePng(20, 20).toString('base64') }
const texts = { en: 'Read', de: 'Lesen' }

/** Valid values of fields that are no plain text, number or choice. The first one is sent that GET does not show already. */
const values: Readonly<Record<string, readonly Change[]>> = {
  accent_color: changes('#b45309'),
  allowed_groups: changes(['staff']),
  apis: changes(machine.apis),
  attributes: changes([{ name: 'nickname', value: 'Ada' }]),
  approvers: changes(['approver@example.com']),
  attribute_mapping: changes({ email_from: 'mail' }),
  backchannel_logout_uri: changes(url),
  background_color: changes('#fef3c7'),
  callback_hosts: changes([{ host: 'agent.example.com', callback_host: 'console.example.net' }]),
  certificate: changes(idp.pem),
  client_id: changes('chosen-client'),
  default_organization_roles: [change(['admin'], { and: { ...ofOrganization, organization_id: 12 } })],
  device_authorization: [change(true, { and: { organizations: 'optional' } })],
  domains: changes(['example.net']),
  exempt_users: changes([1]),
  expires: changes('2027-01-31T12:00:00.000Z'),
  expiry: changes('2027-01-31T12:00:00.000Z'),
  first_sign_in: [change('create', { and: { ...ofEverybody('first'), public_provider: 'oidc' } })],
  fm_bookmarks: changes(['/new']),
  groups: changes([], [3]),
  hosted_domain: changes('example.net'),
  hosts: changes(['agent.example.net']),
  issuer: [change('https://idp.example.net', { and: { client_secret: 'another' } })],
  invite: [change(true, { and: { email: 'new@example.com' }, shows: { invitation: { sent_at: null } } })],
  machine_groups: [change([3], { and: machine })],
  machine_organizations: [change(true, { and: machine })],
  machine_permissions: [change(['users:view'], { and: machine })],
  members: changes([], [{ id: 7 }]),
  metadata_url_source: changes(url),
  multi_factor_authn_contexts: changes(['urn:example:two-factor']),
  sign_in_max_age: changes(600, 900),
  organization_id: [change(12, { and: ofOrganization })],
  organizations: [change('required', { and: { device_authorization: false } })],
  permissions: changes(['users:view']),
  post_logout_redirect_uris: changes([url]),
  privacy_url: changes(url),
  public_provider: [change('oidc', { and: ofEverybody('public') })],
  public_keys: changes([publicKey]),
  reply_to: changes('help@localhost'),
  redirect_uris: changes([url]),
  refused_domains: changes(['example.net']),
  required_authn_contexts: changes(['urn:example:two-factor']),
  require_login: [change(true, { and: { user: 7 } })],
  rules: changes([{ group_name: 'vowels', group_regex: '[aeiou]', min_count: 2 }]),
  scopes: changes(['openid', 'email']),
  second_factor_for_groups: changes([3]),
  second_factor_for_permissions: changes(['users:view']),
  slo_url: changes(url),
  sp_certificate: [change(own.pem, { and: { sp_certificate_key: own.keyPem } })],
  support_url: changes('mailto:new@example.com'),
  terms_url: changes(url),
  texts: changes([{ language: 'de', greeting: 'Hallo', footer: null, support_url: null }]),
  user_template: changes(4, null),
  'create_access_token.bundles': [
    change([bundle], { shows: { shared_bundles: [{ id: 99, name: 'Bundle' }] } }),
  ],
  'create_access_token.directories': [change([directory], { shows: { shared_directories: [directory] } })],
  'create_access_token.email': [
    change(recipient, { and: { user: undefined }, shows: { user: { email: recipient } } }),
  ],
  'create_access_token.is_easy_sharing': [
    change(true, {
      and: { bundles: [bundle], directories: undefined },
      shows: { is_easy_sharing_for_bundle: 99 },
    }),
  ],
  'create_access_token.password': [change('another password', { shows: { has_password: true } })],
  'create_access_token.user': [change(1, { shows: { user: { id: 1 } } })],
  'create_access_token.view_limit': [change(5, { shows: { view_limit_enabled: true, view_limit_left: 5 } })],
  'update_own_attributes.attributes': changes([{ name: 'nickname', value: 'Countess' }]),
  // A claim of the example states the department.
  'update_user_attributes.attributes': changes([
    { name: 'department', type: 'text' },
    { name: 'team', type: 'text' },
  ]),
  'update_user_attributes.claims': changes([]),
  'link_user_company_account.provider': [change(3, { shows: { provider: { id: 3 } } })],
  'answer_own_directory.agrees': [change(false, { shows: { state: 'declined' } })],
  'create_api_token.scopes': changes(['profile:view']),
  'create_organization_api_token.permissions': changes(['org:members:view'], ['org:members:manage']),
  'create_organization_invitation.roles': changes(['member']),
  'create_organization_member.roles': changes(['member']),
  'create_organization_sign_in.issuer': [
    change('https://other.example.com', { shows: { provider: 'https://other.example.com' } }),
  ],
  'create_organization_sign_in.default_roles': changes(['editor']),
  'change_hook.turned_off': [
    change(true, { shows: { state: 'turned_off' } }),
    change(false, { shows: { state: 'on' } }),
  ],
  'update_email_text.body': changes('Welcome.\n\n[Go on]({link})'),
  'update_organization_email_text.body': changes('{inviter} {organization}\n\n[Go on]({link})'),
  'update_organization_branding.logo': [change(uploadedLogo, { shows: { logo: { width: 20 } } })],
  'update_organization_branding.dark_logo': [change(uploadedLogo, { shows: { dark_logo: { width: 20 } } })],
  'patch_organization_member.roles': changes(['member'], ['editor']),
  'set_connection_scim.user_attributes': changes([{ from: 'title', to: 'nickname' }]),
  'set_organization_scim.group_roles': changes([{ group: 'Finance', roles: ['editor'] }]),
  'update_organization_roles.roles': changes([{ key: 'lead', texts, permissions: [] }]),
  'create_protected_api.permissions': [change([{ name: 'music:read', texts }], { and: { scopes: [] } })],
  'patch_protected_api.permissions': changes([{ name: 'music:read', texts }]),
  'create_protected_api.scopes': changes([{ name: 'music.read', texts, permissions: [] }]),
  'patch_protected_api.scopes': changes([{ name: 'music.read', texts, permissions: [] }]),
}

const otherValues = (schema: unknown, shown: JsonValue): readonly JsonValue[] => {
  if (
    schema instanceof z.ZodMiniOptional ||
    schema instanceof z.ZodMiniNullable ||
    schema instanceof z.ZodMiniReadonly
  )
    return otherValues(schema.def.innerType, shown)
  if (schema instanceof z.ZodMiniEnum) return schema.options
  if (schema instanceof z.ZodMiniBoolean) return [true, false]
  if (schema instanceof z.ZodMiniNumber) return [(shown ?? 0) + 1]
  return [`${shown ?? ''}x`]
}

/** A change to something that the object does not show yet. */
const chooseChange = (op: Operation, field: string, before: JsonValue): Required<Change> => {
  const known = values[`${op.id}.${field}`] ?? values[field]
  const all = known ?? changes(...otherValues(readDeclared(op)[field], before[field]))
  const complete = all.map(({ given, and = {}, shows = { [field]: given } }) => ({ given, and, shows }))
  const found = complete.find(({ shows }) => !isShown(before, shows))
  if (!found) throw new Error(`add another value of ${op.id}.${field} to the table`)
  return found
}

/** Objects can show more than what was set. */
const isShown = (shown: JsonValue, expected: JsonValue): boolean => {
  if (typeof expected !== 'object' || expected === null) return isDeepStrictEqual(shown, expected)
  if (Array.isArray(expected) && shown?.length !== expected.length) return false
  return Object.entries(expected).every(([name, value]) => isShown(shown?.[name], value))
}

/** Prepares a request, in a service whose users have an attribute. */
const prepare = async (op: Operation): Promise<ExampleRequest> => {
  const request = await live.prepare(op)
  const attributes = [{ name: 'nickname', type: 'text', user_access: 'write' }]
  const { client } = live.service
  await client('PUT', '/api/2/system/user-attributes', {
    bearer: live.world.admin.bearer,
    body: { attributes },
  })
  // Nobody turns on `passkeys_only` without a passkey, and only who used it changes anything after that.
  if (op.id === 'update_sign_in_policy') {
    const { passkey } = await addPasskey(live.service, live.world.admin)
    expect((await confirmWithPasskey(live.service, live.world.admin, passkey)).status).toBe(204)
  }
  return request
}

/** Reads the object that a request has written, as the same caller. */
const read = async (reading: Operation, request: ExampleRequest, answer: Answer): Promise<JsonValue> => {
  const path = request.path.replace(/\?.*/, '')
  const [parent, last] = [path.replace(/\/[^/]*$/, ''), path.replace(/^.*\//, '')]
  const isNew = request.method === 'POST'
  const { id, domain, user } = answer.body ?? {}
  const isList = reading.responses[200] instanceof z.ZodMiniArray
  const target = isNew ? (isList ? path : `${path}/${id}`) : isList ? parent : path
  const { status, body, text } = await live.send({ ...request, method: 'GET', path: target, body: undefined })
  expect(status, text).toBe(200)
  if (!isList) return body
  const key = isNew ? (id ?? domain ?? user?.id) : decodeURIComponent(last)
  return body.find((row: JsonValue) =>
    [row.id, row.domain, row.name, row.user?.id].some((name) => String(name) === String(key)),
  )
}

describe('a field that a body declares', () => {
  const rows = writes.flatMap((op) => {
    const reading = findReading(op)
    return reading ? [[op.id, op, reading] as const] : []
  })

  it('is shown by another operation, or by none for a reason that is named', () => {
    const shown: readonly string[] = rows.map(([id]) => id)
    expect(writes.map(({ id }) => id).filter((id) => !shown.includes(id))).toEqual(Object.keys(unread))
  })

  it('stands in a list of this file only while a body declares it', () => {
    const declared = rows.flatMap(([id, op]) =>
      Object.keys(readDeclared(op)).flatMap((field) => [field, `${id}.${field}`]),
    )
    expect(Object.keys({ ...unshown, ...values }).filter((name) => !declared.includes(name))).toEqual([])
  })

  it.each(rows)('changes what GET answers: %s', async (_, op, reading) => {
    let request = await prepare(op)
    const plain = await live.send(request)
    expect([200, 201, 204], plain.text).toContain(plain.status)
    let before = await read(reading, request, plain)
    const dropped: string[] = []
    for (const field of Object.keys(readDeclared(op))) {
      if (unshown[`${op.id}.${field}`] ?? unshown[field]) continue
      if (op.method !== 'POST') before = await read(reading, request, plain)
      const { given, and, shows } = chooseChange(op, field, before)
      if (op.method === 'POST') request = await prepare(op)
      const base = op.method === 'PATCH' ? {} : request.body
      const answer = await live.send({ ...request, body: { ...base, ...and, [field]: given } })
      expect(answer.status, `${field}: ${answer.text}`).toBe(plain.status)
      const after = await read(reading, request, answer)
      if (!isShown(after, shows)) dropped.push(field)
    }
    expect(dropped).toEqual([])
  })
})
