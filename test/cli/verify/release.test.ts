import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { describeTemplates, digestFunctions } from '../../../build/release/describe-release.ts'
import type { CheckResult } from '../../../cli/verify/check.ts'
import { verifyDeployment } from '../../../cli/verify/run-verify.ts'
import { createApp } from '../../../infra/app.ts'
import {
  readNested,
  readTemplates,
  type Synthesis,
  stackSettings,
  writeEmptyBundles,
} from '../../infra/synthesis.ts'
import type { JsonValue } from '../../support/client.ts'
import { type AccountState, healthy, startAccount } from './account-stub.ts'
import { answerFor, deployRelease, type ReleasedAccount } from './release-account.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-verify-release-'))
const bundleDir = writeEmptyBundles(join(folder, 'bundles'))
const outdir = join(folder, 'out')
createApp({ outdir, bundleDir, context: stackSettings.full }).synth()
const templates = readTemplates(outdir)
const templateOf = (name: string) => {
  const template = templates.get(name)
  if (!template) throw new Error(`There is no template ${name}.`)
  return template
}
const template = templateOf('Latchkey')
const synthesis: Synthesis = {
  template,
  permissions: readNested(outdir, template, 'Permissions'),
  monitoring: readNested(outdir, template, 'Monitoring'),
  templateOf,
  messages: [],
  assetOf: () => '',
}

const page = 'export{}'
const release = {
  version: '0.1.0',
  functions: digestFunctions(bundleDir),
  ...describeTemplates([synthesis]),
  pages: { '/assets/js/en-1/account.js': '7776e321976f2e306eaf074bc244953a71013c5165cbe4f5491f6bdd55470468' },
}

const deployed = deployRelease(synthesis, release.functions)
let account: ReleasedAccount = deployed
let state: AccountState = healthy
const stub = await startAccount(
  synthesis,
  () => state,
  [],
  (request) => answerFor(account, request),
)
afterAll(async () => {
  await stub.close()
  rmSync(folder, { recursive: true })
})

/** The differences that the comparison names in an account that somebody has changed. */
const findChanges = async (
  change: (account: ReleasedAccount) => void,
  alterTemplate = healthy.alterTemplate,
): Promise<readonly string[]> => {
  account = structuredClone(deployed)
  account.pages['/assets/js/en-1/account.js'] = page
  change(account)
  state = { ...healthy, alterTemplate }
  for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'DYNAMODB_ENDPOINT']) delete process.env[name]
  Object.assign(process.env, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL: stub.url,
  })
  const results: CheckResult[] = []
  await verifyDeployment(
    { url: stub.url, token: undefined, mailTo: undefined, stack: 'Latchkey', table: undefined, release },
    { signal: new AbortController().signal, checkMs: 60_000, onResult: (one) => results.push(one) },
  )
  const compared = results.filter(({ id }) => id.startsWith('release-'))
  expect(compared).toHaveLength(7)
  return compared.filter(({ status }) => status !== 'ok').map(({ id, detail }) => `${id}: ${detail}`)
}

/** The ID of a function of Latchkey, and of its role. */
const idOf = (name: string): string => {
  const found = Object.entries(template.Resources).find(
    ([, { Type, Properties }]) =>
      Type === 'AWS::Lambda::Function' && Properties.Description === `Latchkey: ${name}`,
  )
  return found?.[0] ?? ''
}
const roleIdOf = (name: string): string =>
  template.Resources[idOf(name)]?.Properties.Role['Fn::GetAtt'][0] ?? ''
const functionOf = ({ functions }: ReleasedAccount, name: string): JsonValue => functions[idOf(name)]
const roleOf = ({ roles }: ReleasedAccount, name: string): JsonValue => roles[roleIdOf(name)]
const statementsOf = (one: ReleasedAccount, name: string): JsonValue =>
  Object.values<JsonValue>(roleOf(one, name).policies)[0].Statement
const onTable = (one: ReleasedAccount): JsonValue =>
  statementsOf(one, 'sessions').find(({ Condition }: JsonValue) => Condition?.Null)
const wide = { Effect: 'Allow', Action: 'dynamodb:Scan', Resource: '*' }

it('reports nothing for an account as it was deployed', async () => {
  expect(await findChanges(() => {})).toEqual([])
})

it.each<readonly [string, string, (account: ReleasedAccount) => void]>([
  ['other code', 'release-code', (one) => (functionOf(one, 'sessions').configuration.CodeSha256 = 'AAAA')],
  ['another handler', 'release-settings', (one) => (functionOf(one, 'users').configuration.Handler = 'x.y')],
  [
    'another runtime',
    'release-settings',
    (one) => (functionOf(one, 'users').configuration.Runtime = 'nodejs20.x'),
  ],
  [
    'a layer',
    'release-settings',
    (one) => (functionOf(one, 'users').configuration.Layers = [{ Arn: 'layer' }]),
  ],
  [
    'another role',
    'release-settings',
    (one) => (functionOf(one, 'tickets').configuration.Role = functionOf(one, 'users').configuration.Role),
  ],
  [
    'another variable',
    'release-settings',
    (one) => (functionOf(one, 'users').configuration.Environment.Variables.NODE_OPTIONS = '--require=/tmp/x'),
  ],
  [
    'another table',
    'release-settings',
    (one) => (functionOf(one, 'users').configuration.Environment.Variables.TABLE_NAME = 'copy'),
  ],
  [
    'a lost variable',
    'release-settings',
    (one) => delete functionOf(one, 'users').configuration.Environment.Variables.PUBLIC_URL,
  ],
  ['a moved alias', 'release-aliases', (one) => (functionOf(one, 'config').aliases[0].FunctionVersion = '7')],
  [
    'an alias with a share for another version',
    'release-aliases',
    (one) =>
      (functionOf(one, 'config').aliases[0].RoutingConfig = { AdditionalVersionWeights: { '7': 0.01 } }),
  ],
  [
    'a new alias',
    'release-aliases',
    (one) => functionOf(one, 'sessions').aliases.push({ Name: 'live', FunctionVersion: '7' }),
  ],
  ['a new address', 'release-aliases', (one) => functionOf(one, 'users').urls.push({ AuthType: 'AWS_IAM' })],
  ['an open address', 'release-aliases', (one) => (functionOf(one, 'config').urls[0].AuthType = 'NONE')],
  [
    'a caller',
    'release-callers',
    (one) =>
      functionOf(one, 'users').policies[''].push({
        Action: 'lambda:InvokeFunction',
        Principal: { AWS: 'arn:aws:iam::999999999999:root' },
      }),
  ],
  [
    'any API as a caller',
    'release-callers',
    (one) => delete functionOf(one, 'users').policies[''][0].Condition.ArnLike,
  ],
  [
    'another API as a caller',
    'release-callers',
    (one) => {
      const [{ Condition }] = functionOf(one, 'users').policies['']
      Condition.ArnLike['AWS:SourceArn'] = 'arn:aws:execute-api:local:000000000000:other/*/*/*'
    },
  ],
  ['a statement', 'release-grants', (one) => statementsOf(one, 'sessions').push(wide)],
  [
    'an action',
    'release-grants',
    (one) => (onTable(one).Action = [onTable(one).Action, 'dynamodb:Scan'].flat()),
  ],
  ['all resources', 'release-grants', (one) => (onTable(one).Resource = '*')],
  ['a lost condition', 'release-grants', (one) => delete onTable(one).Condition],
  [
    'a key of a condition',
    'release-grants',
    (one) => (onTable(one).Condition['ForAllValues:StringLike'] = { 'dynamodb:LeadingKeys': ['*'] }),
  ],
  [
    'a second policy',
    'release-grants',
    (one) => (roleOf(one, 'users').policies.Other = { Statement: [wide] }),
  ],
  [
    'an attached policy',
    'release-grants',
    (one) => roleOf(one, 'users').attached.push('arn:aws:iam::aws:policy/AdministratorAccess'),
  ],
  [
    'another user of a role',
    'release-grants',
    (one) => (roleOf(one, 'users').trust.Statement[0].Principal = { AWS: 'arn:aws:iam::999999999999:root' }),
  ],
  [
    'a route',
    'release-routes',
    (one) => one.routes.push({ routeKey: 'GET /other', target: one.routes[0].target }),
  ],
  ['a lost route', 'release-routes', (one) => one.routes.pop()],
  [
    'a route to another function',
    'release-routes',
    (one) =>
      (one.routes[0].target = one.routes.find(({ target }) => target !== one.routes[0].target)?.target),
  ],
  [
    'another function behind a group of routes',
    'release-routes',
    (one) => (one.stageVariables[Object.keys(one.stageVariables)[0] ?? ''] = 'Other'),
  ],
  ['another script', 'release-pages', (one) => (one.pages['/assets/js/en-1/account.js'] = `${page};steal()`)],
])('finds %s', async (_, id, change) => {
  expect(await findChanges(change)).toEqual([expect.stringContaining(`${id}: Not as released: `)])
})

it('finds a grant that was deployed with another template', async () => {
  const alter = (text: string): string => {
    const changed: JsonValue = JSON.parse(text)
    const role = changed.Resources[roleIdOf('sessions')]
    role?.Properties.Policies[0].PolicyDocument.Statement.push(wide)
    return JSON.stringify(changed)
  }
  const found = await findChanges((one) => statementsOf(one, 'sessions').push(wide), alter)
  expect(found).toEqual([expect.stringContaining('release-grants: Not as released: the grants of sessions')])
})
