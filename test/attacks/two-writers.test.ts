import { mock } from 'node:test'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { startKms } from '../support/kms.ts'
import { unusedHook } from '../support/unused-hook.ts'
import { useService } from '../support/use-service.ts'
import { createTwoWriters } from '../two-writers/two-writers.ts'
import { runEveryUseCase, startClock } from '../two-writers/use-cases.ts'

/*
 * Each use case meets a second writer, who makes one condition of its transaction false just before it. The table is then as it was, and
 * the next condition follows. After a change of a condition, `npx vitest run --project source-attacks test/attacks/two-writers.test.ts -u`
 * records it.
 */

/** Conditions and the reason why a rule about them holds. */
type Rows = readonly (readonly [conditions: RegExp, reason: string])[]

/** Conditions that no second writer makes false. */
const alwaysTrue: Rows = [
  [
    /: Put (?:user# user|group# group|connection# connection|organization# organization): attribute_not_exists\(pk\)$/,
    'The ID comes from a counter, which gives each once.',
  ],
  [
    /: Put (?:oidc-client# oidc-client|protected-api# protected-api|user-template# user-template): attribute_not_exists\(pk\)$/,
    'The ID comes from a counter, which gives each once.',
  ],
  [
    /: Put (?:oidc-grant# grant|oidc-code# code|oidc-refresh-token# refresh-token|\w+# api-token#|scim# (?:token|user)#): attribute_not_exists\(pk\)$/,
    'The key is random, with 128 bits or more.',
  ],
  [
    /^create_(?:own_)?organization: Put user# organization#/,
    'Nobody is a member of an organization that does not exist yet.',
  ],
  [/^unlink_\w+: Delete company-account#/, 'An account moves only together with the version of its user.'],
  [
    /^create_group: Update group# member-list: /,
    'A full list has more members than one item of a test can have.',
  ],
  [
    /^audit-chain: Put audit-chain# /,
    'A head and its block are stored together, so that one alone is what an audit has to find.',
  ],
  [/^create_saml_setup: Put saml-entity#/, 'This entity ID contains the ID of the new connection.'],
  [
    /^report_change: Update user# security-report#/,
    'A use of the link is stored together with a change of its user.',
  ],
]

/** Conditions after whose refusal the status of a success is right, although nothing was written. */
const rightlyUnwritten: Rows = [
  [
    /^(?:end_own_session|end_user_session|logout|logout_page|start_saml_logout|return_from_saml_logout): Delete user# session#/,
    'The session has ended.',
  ],
  [/^confirm_logout_for_client: Delete user# session#/, 'The session has ended.'],
  [/^end_(?:own|user)_app: Update user# session#/, 'The other writer ended what the client may do as well.'],
  [
    /^answer_consent: Update user# session#/,
    'The answer takes the browser back to the client, with an error.',
  ],
  [/^answer_device: /, 'The page asks for the code again, or for a new sign-in.'],
  [/^audit-chain: Put audit-checkpoints /, 'Another run signed this checkpoint.'],
  [/^try_oidc_client_sign_in: /, 'The answer says at which step the sign-in ended.'],
  [/^update_branding: Put settings#branding/, 'The other writer stored the same values.'],
  [
    /^(?:update|reset)_(?:organization_)?email_text: Put email-text-history#/,
    'The other writer stored the same words.',
  ],
  [
    /^answer_own_directory: (?:Update user# user: version = number AND|ConditionCheck scim# user#)/,
    'The answer is stored before. The other writer gave the account this name, or took the answer back.',
  ],
  [/^(?:delete|reset)_(?:\w+_)?(?:logo|branding): Put settings#branding/, 'Nothing is left to delete.'],
  [/^disable_totp: Update user# user/, 'The user was deleted.'],
  [/^import_users: Put username#/, 'The answer lists the line as one that was left out.'],
  [
    /^hand_over_access_tokens: Update access-token#/,
    'The link has another owner. The answer does not name it.',
  ],
  [/^shorten_api_token: Update user# api-token#/, 'The other writer gave the token the same end.'],
  [/^delete_scim_resource: Delete scim# user#/, 'The other writer deleted the person.'],
  [/^delete_easy_sharing_token_for_\w+: Delete access-token#/, 'The link was deleted.'],
]

const isIn = (rows: Rows, condition: string): boolean =>
  rows.some(([conditions]) => conditions.test(condition))
const listUnused = (rows: Rows, conditions: ReadonlySet<string>) =>
  rows.filter(([pattern]) => ![...conditions].some((one) => pattern.test(one)))

const kms = closeAfterTests(await startKms())
let tableName = ''
const writers = createTwoWriters({
  engine: process.env['DYNAMODB_ENDPOINT'] ?? '',
  tableName: () => tableName,
  canBeFalse: (condition) => !isIn(alwaysTrue, condition),
})
startClock()
afterAll(() => mock.timers.reset())
const service = await useService(
  {
    AWS_ENDPOINT_URL_KMS: kms.url,
    KMS_KEY_ID: 'key',
    AUDIT_KEY_ID: 'audit-key',
    ALLOW_PRIVATE_METADATA: 'true',
    ALLOWED_ORIGINS: 'https://shop.example.com',
    LINK_URL: 'Shop=https://shop.example.com/shared/{id}',
    SECURITY_CONTACT: 'mailto:security@example.com',
    SECURITY_CONTACT_UNTIL: '9999-12-31',
    ...unusedHook,
  },
  // Passkeys need a name instead of an address.
  { sendsMail: false, hostname: 'localhost', tableHooks: writers.hooks },
)
tableName = service.tableName
beforeAll(() => runEveryUseCase(service, writers), 600_000)

const { conditions, report } = writers

it('no transaction is written after a second writer made one of its conditions false', () => {
  expect(report.findings).toEqual([])
  expect(report.falsified.size).toBeGreaterThan(300)
  expect(listUnused(alwaysTrue, conditions)).toEqual([])
})

it('a use case that wrote nothing reports no success, unless that is right', () => {
  expect([...report.unwritten].filter((condition) => !isIn(rightlyUnwritten, condition))).toEqual([])
  expect(listUnused(rightlyUnwritten, report.unwritten)).toEqual([])
})

it('each condition of a transaction is made false', () => {
  const left = [...conditions].filter(
    (condition) =>
      !/: \w+Item /.test(condition) && !isIn(alwaysTrue, condition) && !report.falsified.has(condition),
  )
  expect(left).toEqual([])
})

it('use cases send the conditions that are recorded', async () => {
  const lines = [...conditions].sort().map((condition) => `${condition}\n`)
  await expect(lines.join('')).toMatchFileSnapshot('../two-writers/recorded-conditions.txt')
})
