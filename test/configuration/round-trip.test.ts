import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LatchkeyConfig } from '../../lib/client/generated/configuration.ts'
import { entries, keyedLists, settingsLists } from '../../lib/features/configuration/document.models.ts'
import { exportDocument } from '../../lib/features/configuration/export.part.ts'
import { settings } from '../../lib/features/configuration/kinds.part.ts'
import { listNames, readOwn } from '../../lib/kernel/util/object-fields.ts'
import { makeIdp } from '../support/idp.ts'
import { makeGif, makePng } from '../support/images.ts'
import { startService } from '../support/service.ts'
import { apply, createContext } from './support.ts'

const provider = (await makeIdp()).providerBody()
const certificate = String(provider['certificate'])
const ssoUrl = String(provider['sso_url'])
const png = (width: number) => ({ content_type: 'image/png', data: makePng(width, 20).toString('base64') })
const gif = { content_type: 'image/gif', data: makeGif(32, 32).toString('base64') }
const texts = { en: 'Films', de: 'Filme' }
const origin = 'https://films.example.com'
const audience = `${origin}/api`
const mapping = { username_from: 'uid', email_from: 'mail', full_name_from: 'cn', groups_from: 'groups' }
const publicKey = {
  kty: 'EC',
  ...{ kid: 'k1', alg: 'ES256', use: 'sig', crv: 'P-256' },
  x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
  y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
} as const

/** Every field that a file can have, with another value than its default. */
const full = {
  schema_version: 1,
  owner: 'film-library',
  apis: {
    films: {
      name: 'Film API',
      audience,
      permissions: [
        { name: 'films:view', texts },
        { name: 'films:edit', texts },
      ],
      scopes: [{ name: 'films.read', texts, permissions: ['films:view'] }],
      unregistered_clients: true,
    },
  },
  groups: { viewers: { name: 'Viewers', permissions: ['films:view'] } },
  user_templates: {
    staff: {
      ...{ name: 'Staff', permissions: ['films:view'], groups: ['viewers'], language: 'de' },
      ...{ default_page: '/account', is_external: true },
    },
  },
  clients: {
    server: {
      ...{ name: 'Server', redirect_uris: [`${origin}/callback`], post_logout_redirect_uris: [`${origin}/`] },
      scopes: ['openid', 'groups', 'offline_access'],
      apis: [{ audience, scopes: ['films.read'] }],
      ...{ permissions: ['films:view'], machine_permissions: ['films:view'], machine_groups: ['viewers'] },
      ...{ organizations: 'none', machine_organizations: true },
      public_keys: [publicKey],
      ...{ requires_par: true, requires_dpop: true, subject_source: 'crm' },
      ...{ device_authorization: true, backchannel_logout_uri: `${origin}/logout` },
      ...{ access_token_lifetime: 900, id_token_lifetime: 900 },
      ...{ refresh_token_lifetime: 86_400, refresh_token_idle_lifetime: 7200 },
    },
    page: { name: 'Page', type: 'public', redirect_uris: [`${origin}/page`] },
    old: { name: 'Old', redirect_uris: [`${origin}/old`], requires_pkce: false },
  },
  saml_providers: {
    acme: {
      ...{ name: 'Acme', entity_id: 'urn:acme', sso_url: ssoUrl, certificate, slo_url: `${ssoUrl}/out` },
      ...{ nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent', nameid_attribute: 'id' },
      ...{ disabled_in_client: true, auto_create_users: true, auto_create_groups: true },
      ...{ auto_sync_groups: true, user_template: 'staff', allowed_groups: ['Viewers'] },
      ...{ metadata_url_source: 'https://idp.acme.example/metadata', required_for_domains: true },
      ...{
        attribute_mapping: mapping,
        required_authn_contexts: ['urn:a'],
        multi_factor_authn_contexts: ['urn:b'],
      },
      domains: ['acme.example.com'],
      scim: {
        ...{ enabled: true, match_to: 'external_id', match_attribute: 'oid', creates_unknown_users: true },
        ...{ group_roles: [], client_id: null, allows_local_changes: true },
        user_attributes: [{ from: 'department', to: 'department' }],
      },
    },
  },
  oidc_connections: {
    globex: {
      ...{ name: 'Globex', issuer: 'https://login.globex.example', client_id: 'films' },
      ...{
        token_endpoint_auth_method: 'private_key_jwt',
        scopes: ['openid', 'email'],
        hosted_domain: 'globex.example',
      },
      ...{
        disabled_in_client: true,
        auto_create_users: true,
        auto_create_groups: true,
        auto_sync_groups: true,
      },
      ...{ required_for_domains: true, attribute_mapping: mapping, required_authn_contexts: ['urn:a'] },
      ...{ multi_factor_authn_contexts: ['urn:b'], allowed_groups: ['Viewers'], user_template: 'staff' },
      domains: ['globex.example.com'],
      scim: {
        ...{ enabled: true, match_to: 'user_name', match_attribute: null, creates_unknown_users: false },
        ...{ group_roles: [], client_id: null, allows_local_changes: false },
        user_attributes: [],
      },
    },
    google: {
      ...{ name: 'Google', issuer: 'https://accounts.google.com', client_id: 'films' },
      ...{ token_endpoint_auth_method: 'private_key_jwt', scopes: ['openid', 'email'] },
      ...{ public_provider: 'google', first_sign_in: 'create' },
    },
  },
  service_accounts: {
    nightly: { name: 'Nightly', permissions: ['films:edit'], groups: ['viewers'], scopes: ['films:edit'] },
  },
  user_attributes: {
    attributes: [
      {
        ...{ name: 'department', type: 'text', labels: [{ language: 'en', label: 'Department' }] },
        ...{ values: ['Sales', 'Design'], user_access: 'write', claim: 'department', is_searchable: true },
      },
      {
        ...{ name: 'team', type: 'text', labels: [], values: [] },
        ...{ user_access: 'read', claim: null, is_searchable: false },
      },
    ],
    claims: [
      {
        ...{ name: 'team', place: 'top', source: 'attribute', value: 'team' },
        ...{ outputs: ['access_token'], clients: ['server'], apis: [audience] },
      },
      {
        ...{ name: 'region', place: 'attributes', source: 'text', value: 'eu' },
        ...{ outputs: ['id_token', 'userinfo'], clients: ['page', 'old'], apis: [] },
      },
    ],
  },
  password_policy: {
    rules: [{ group_name: 'a digit', group_regex: '[0-9]', min_count: 1 }],
    ...{ min_length: 14, min_entropy_bits: 50, regex: '.{14}', no_pwned: false },
  },
  sign_in_policy: {
    ...{ second_factor_for_everybody: true, second_factor_for_permissions: ['films:edit'] },
    ...{ second_factor_for_groups: ['viewers'], second_factor_grace_days: 14, password_only_min_length: 16 },
    ...{ passkeys_only: true, passkey_upgrades: false, remembered_device_days: 30 },
    ...{ allow_email_codes: true, account_deletion: 'after_grace', account_deletion_grace_days: 20 },
  },
  sign_up_policy: {
    ...{
      mode: 'approval',
      domains: ['example.com'],
      refused_domains: ['example.org'],
      user_template: 'staff',
    },
    ...{ approvers: ['ada@example.com'], terms_version: '2', terms_url: `${origin}/terms` },
  },
  agent_policy: {
    hosts: ['agent.example.com', 'agents.example.org'],
    callback_hosts: [{ host: 'agent.example.com', callback_host: 'console.example.com' }],
  },
  organization_policy: {
    creation: 'everybody',
    creations_max: 5,
    ending_grace_days: 30,
    company_sign_in: 'ask',
  },
  organization_roles: {
    roles: [
      {
        key: 'editor',
        texts: { en: 'Editor', de: 'Redaktion' },
        permissions: ['films:edit'],
        given_by: 'service',
      },
    ],
  },
  branding: {
    ...{
      product_name: 'Films',
      accent_color: '#1d4ed8',
      background_color: '#ffffff',
      corner_radius: 'large',
    },
    ...{ support_url: `${origin}/help`, privacy_url: `${origin}/privacy`, terms_url: `${origin}/terms` },
    ...{ sender_name: 'Film library', reply_to: 'help@localhost' },
    texts: [{ language: 'de', greeting: 'Willkommen', footer: 'Filme', support_url: `${origin}/hilfe` }],
    ...{ logo: png(40), dark_logo: png(41), icon: gif },
  },
  products: {
    'Film shop': {
      ...{
        product_name: 'Shop',
        accent_color: '#b91c1c',
        background_color: '#ffffff',
        corner_radius: 'none',
      },
      ...{ support_url: `${origin}/shop`, privacy_url: `${origin}/privacy`, terms_url: `${origin}/terms` },
      ...{ sender_name: 'Film shop', reply_to: 'shop@localhost' },
      // Two have the same image.
      ...{ logo: png(50), dark_logo: png(50), icon: png(40) },
    },
    'shop.example.com:8443': { product_name: 'Other shop', logo: png(40) },
  },
  email_texts: {
    service: {
      password_reset: {
        en: { subject: 'Choose a password', body: 'Hello {username}\n\n[Choose]({link})\n' },
        de: { subject: 'Passwort', body: '[Wählen]({link})' },
      },
      email_confirmation: { en: { subject: 'Confirm', body: '{username}\n[Confirm]({link})' } },
      invitation: { en: { subject: 'Welcome', body: '[Join]({link})' } },
      organization_invitation: { en: { subject: 'Join', body: '{inviter} {organization}\n[Join]({link})' } },
      sign_up: { en: { subject: 'Welcome', body: '[Go on]({link})' } },
      sign_up_known: { en: { subject: 'Welcome back', body: '[Sign in]({link})' } },
      sign_in_code: { en: { subject: 'Your code', body: '{username}\n{code}' } },
      organization_join_code: { en: { subject: 'Your code', body: '{organization}\n{code}' } },
      access_link: { en: { body: '{account}\n[Open]({link})' } },
    },
    'product:Film shop': { access_link: { ja: { body: '{account}\n[開く]({link})' } } },
  },
} as const satisfies LatchkeyConfig

/** What only says how a file is applied, or cannot be read again, or needs a secret, which cannot be read again. */
const steering = ['adopt', 'delete_values', 'client_secret', 'apple_team_id', 'apple_key_id', 'apple_app_id']

/** What an entry, or another field of it, cannot do without. */
const required = [
  ...['name', 'audience', 'redirect_uris', 'entity_id', 'sso_url', 'certificate', 'issuer', 'client_id'],
  ...[
    'attributes',
    'mode',
    'type',
    'permissions',
    'token_endpoint_auth_method',
    'public_provider',
    'terms_version',
    'terms_url',
  ],
  ...['server.apis', 'machine_permissions', 'machine_groups', 'films.scopes', 'nightly.scopes'],
]

/** The document without some fields of its entries. */
const without = (document: Values, removed: readonly string[]): Values =>
  Object.fromEntries(
    Object.entries(document).flatMap(([name, value]) => {
      if (typeof value !== 'object' || value === null) return [[name, value]]
      const isList = Object.values<string>(keyedLists).includes(name)
      const keep = (path: string, entry: object) =>
        Object.fromEntries(Object.entries(entry).filter(([field]) => !removed.includes(`${path}.${field}`)))
      const kept = isList
        ? Object.fromEntries(
            Object.entries(value)
              .map(([key, entry]) => [key, keep(`${name}.${key}`, entry)] as const)
              // A product that has all from the service needs no entry either.
              .filter(([, kept]) => !Object.values<string>(settingsLists).includes(name) || !isEmpty(kept)),
          )
        : keep(name, value)
      return [[name, kept]]
    }),
  )

type Values = Readonly<Record<string, unknown>>
const listEntries = (document: Values): readonly (readonly [path: string, entry: Values])[] => [
  ...Object.values(keyedLists).flatMap((list) =>
    Object.entries((document[list] ?? {}) as Readonly<Record<string, Values>>).map(
      ([key, entry]) => [`${list}.${key}`, entry] as const,
    ),
  ),
  ...listNames(settings).flatMap((kind) =>
    document[kind] ? [[kind, document[kind] as Values] as const] : [],
  ),
]

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const roundTrip = async (document: object): Promise<Values> => {
  const { services, close } = await startService({
    ALLOWED_ORIGINS: 'https://shop.example.com:8443',
    LINK_URL: 'Film shop=https://shop.example.com:8443/{id}, https://shop.example.com:8443/other/{id}',
  })
  try {
    await apply(services, document)
    return await exportDocument(services, createContext(services), 'film-library')
  } finally {
    await close()
  }
}

describe('a configuration file', () => {
  it('has a value for each field of each model in this test', () => {
    for (const kind of listNames(entries)) {
      const list = readOwn<string>(keyedLists, kind)
      const given = listEntries(full).filter(([path]) => (list ? path.startsWith(`${list}.`) : path === kind))
      const fields = new Set(given.flatMap(([, entry]) => Object.keys(entry)))
      expect([...fields].sort()).toEqual(
        Object.keys(entries[kind].def.shape)
          .filter((name) => !steering.includes(name))
          .sort(),
      )
    }
  })

  it('with all fields comes back from a service as it was', async () => {
    expect(await roundTrip(full)).toEqual(full)
  })

  it('with any of the fields comes back from a service as it was', async () => {
    const optional = listEntries(full).flatMap(([path, entry]) =>
      Object.keys(entry)
        .map((name) => `${path}.${name}`)
        .filter((field) => !required.some((name) => field.endsWith(`.${name}`))),
    )
    await fc.assert(
      fc.asyncProperty(fc.subarray(optional), async (removed) => {
        const document = without(full, removed)
        // Settings that are all defaults need no entry.
        const shown = Object.entries(document).filter(([, value]) => !isEmpty(value))
        expect(await roundTrip(document)).toEqual(Object.fromEntries(shown))
      }),
      { numRuns: Number(process.env['ROUND_TRIPS'] ?? 6), seed: 20 },
    )
  })
})
