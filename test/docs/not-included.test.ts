import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { packages } from '../../build/package/packages.ts'
import { operations } from '../../lib/features/operations.ts'
import { openApi } from '../../lib/features/pages/open-api.prebuilt.ts'
import { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'
import { inlineCodeIn } from './markdown.ts'

/* What the page says is missing is missing, and each line of it is compared with what the service has. */

const page = readFileSync('docs/not-included.md', 'utf8')
const ids = operations.map(({ id }) => id)

/** The names that a feature would have: operations, fields, settings, folders and packages. */
const names: readonly string[] = [
  ...ids,
  ...Object.values(openApi.components.schemas).flatMap((schema) =>
    Object.keys((schema as { readonly properties?: object }).properties ?? {}),
  ),
  ...[...Object.keys(serviceSettings), ...Object.keys(stackSettings)].map((name) =>
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ),
  ...readdirSync('lib/features', { recursive: true, encoding: 'utf8' }).map((path) =>
    path.replaceAll('-', '_'),
  ),
  ...Object.keys(packages),
]

/** How each line of the page begins, and the names that would prove it wrong. */
const inventory: readonly (readonly [line: string, feature: RegExp])[] = [
  ['LDAP', /ldap_(url|bind|server)/],
  ['codes by SMS', /(^|_)sms|phone_number/],
  ['several accounts in one browser', /switch_account|account_switch/],
  ['risk scores', /(^|_)risk/],
  ['CAPTCHA', /captcha|challenge_proof/],
  ['more than 4 KB of', /photo|attribute_file/],
  ['telephone numbers that are proven', /phone_(number_)?verified|verify_phone/],
  ['hardware keys that must prove', /attestation_(policy|required)|allowed_aaguids/],
  ['a limit of sessions', /max_sessions|session_limit/],
  ['anonymous users', /anonymous_user|create_anonymous/],
  ['SCIM with sorting', /scim_search|provision_to|scim_push/],
  ['a directory for each', /organization_directory|(^|_)tenants?(_|$)/],
  ['administrators of a part of the users', /delegated|administers/],
  ['roles with rules', /role_(rule|condition)s?(_|$)/],
  ['a domain or a sender address for each', /organization_(domain_name|sender_address|custom_domain)/],
  ['offer the implicit flow', /implicit/],
  ['let clients register themselves', /register_client|dynamic_registration/],
  ['act as a SAML identity provider', /issue_saml|saml_idp|identity_provider_metadata/],
  ['accept SAML assertions that it did not ask for', /unsolicited|idp_initiated/],
  ['answer pages of other origins without a setting', /every_origin|any_origin/],
  ['exchange tokens', /exchange_token|token_exchange|id_jag|shared_signal/],
  ['send links that sign people in', /magic|sign_in_link/],
  ['call webhooks', /webhook/],
  ['accept passwords from clients', /password_grant|(^|_)ropc/],
  ['speak mutual TLS', /mtls|mutual_tls|(^|_)fapi|(^|_)ciba|frontchannel|front_channel|encrypted_response/],
  ['components to embed a sign-in', /embed|iframe/],
  ['own HTML in emails', /email_html|html_template/],
  ['libraries for phones', /react_native|flutter|(^|_)ios(_|$)|android/],
  ['libraries for languages other than TypeScript', /python|golang|php|ruby/],
  ['page builder or own CSS', /(^|_)css(_|$)|page_builder/],
  ['limit sign-in to a list of network addresses', /allowed_(networks|addresses|ips)|address_list/],
  ['show funnels', /funnel/],
  ['run outside of AWS', /postgres|(^|_)mysql/],
  ['run in containers', /docker|kubernetes|container_image/],
  ['send mail by SMTP', /smtp/],
  ['run in two regions at once', /replica|second_region|multi_region/],
  ['run in China', /china|gov_cloud/],
  ['have a certificate', /certified/],
]

/** The first cells of the tables. */
const lines = [...page.matchAll(/^\| (?!Latchkey |---)([^|]+) \|/gm)].map(([, cell = '']) => cell)

it('each line is in the inventory, in the same order', () => {
  expect(lines).toHaveLength(inventory.length)
  expect(inventory.filter(([start], at) => !lines[at]?.startsWith(start))).toEqual([])
})

it.each(inventory)('the service has nothing with the name of: %s', (_, feature) => {
  expect(names.filter((name) => feature.test(name))).toEqual([])
})

it('each operation that is named as a way around exists', () => {
  const named = inlineCodeIn(page).filter((code) => /^[a-z]+_[a-z_]+$/.test(code))
  expect(named.length).toBeGreaterThan(1)
  for (const id of named) expect(ids).toContain(id)
})
