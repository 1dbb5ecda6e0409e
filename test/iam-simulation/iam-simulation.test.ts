import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { keyPatternOf, listIndexGrants, type TableGrant } from '../../infra/grants/grant-parts.ts'
import { grants } from '../../infra/grants/grants.ts'
import type { FunctionName } from '../../lib/kernel/contract/group.ts'
import { partitions } from '../../lib/kernel/table/keys/partitions.ts'
import { type IndexName, indexNames } from '../../lib/kernel/table/table.ts'
import { createRandom } from '../fuzz/random.ts'
import { resolve } from '../infra/intrinsics.ts'
import { fits } from '../infra/policies.ts'
import { resourcesOf, shareSynthesis } from '../infra/synthesis.ts'
import { account, factsOf, region, tableArn } from '../runner/template-facts.ts'
import type { JsonValue } from '../support/client.ts'

/*
 * Asks a simulator of IAM that others wrote about the roles of the template, in both directions. The tests of `test/infra` and the runner
 * have a model of this project, and an error in it would be an error in both.
 */

interface Request {
  readonly principal: string
  readonly action: string
  readonly resource: { readonly resource: string; readonly accountId: string }
  readonly contextVariables: Readonly<Record<string, string | readonly string[]>>
}

/** The part of the package that this test uses. It is installed only for `npm run test:infra`. */
interface Simulator {
  readonly runSimulation: (
    simulation: {
      readonly request: Request
      readonly identityPolicies: readonly { readonly name: string; readonly policy: unknown }[]
      readonly serviceControlPolicies: readonly never[]
      readonly resourceControlPolicies: readonly never[]
      readonly resourcePolicy?: unknown
    },
    options: object,
  ) => Promise<{ readonly resultType: string; readonly overallResult?: string; readonly errors?: unknown }>
}
const packageName = '@cloud-copilot/iam-simulate'
const { runSimulation }: Simulator = createRequire(import.meta.url)(packageName)

/** With email, so that all functions are there. */
const { template } = await shareSynthesis('full')
const tableName = 'Latchkey-AuthTable'
const keys = resourcesOf(template, 'AWS::KMS::Key')
const keyArnOf = (id: string): string => `arn:aws:kms:${region}:${account}:key/${id}`
const facts = {
  ...factsOf(template, tableName),
  ...Object.fromEntries(keys.map(([id]) => [`${id}.Arn`, keyArnOf(id)])),
}
const table = tableArn(tableName)
const [[tableId = ''] = []] = resourcesOf(template, 'AWS::DynamoDB::Table')
const arnOfIndex = (name: IndexName): string => `${table}/index/${name}`

/** The policies of the roles of all functions, by the name of the function. */
const policies = new Map(
  resourcesOf(template, 'AWS::Lambda::Function').flatMap(([, { Properties }]) => {
    const name = String(Properties.Description ?? '').replace('Latchkey: ', '')
    if (!Object.hasOwn(grants, name)) return []
    const [roleId] = Properties.Role['Fn::GetAtt']
    const own = template.Resources[roleId]?.Properties.Policies ?? []
    const attached = resourcesOf(template, 'AWS::IAM::Policy').flatMap(([, policy]) =>
      policy.Properties.Roles.some(({ Ref }: JsonValue) => Ref === roleId) ? [policy.Properties] : [],
    )
    const documents = [...own, ...attached].map(({ PolicyDocument }: JsonValue, at: number) => ({
      name: `policy-${at}`,
      policy: resolve(PolicyDocument, facts),
    }))
    return [[name as FunctionName, documents] as const]
  }),
)

const simulate = async (
  name: FunctionName,
  action: string,
  resource: string,
  contextVariables: Request['contextVariables'],
  resourcePolicy?: unknown,
): Promise<string> => {
  const { overallResult, errors } = await runSimulation(
    {
      request: {
        principal: `arn:aws:iam::${account}:role/${name}`,
        action,
        resource: { resource, accountId: account },
        contextVariables,
      },
      identityPolicies: policies.get(name) ?? [],
      serviceControlPolicies: [],
      resourceControlPolicies: [],
      ...(resourcePolicy === undefined ? {} : { resourcePolicy }),
    },
    {},
  )
  // A request that the simulator does not understand proves nothing.
  if (overallResult === undefined) throw new Error(`${action} of ${name}: ${JSON.stringify(errors)}`)
  return overallResult
}

type Action = keyof TableGrant
const actions: readonly Action[] = [
  ...([
    'BatchGetItem',
    'ConditionCheckItem',
    'DeleteItem',
    'GetItem',
    'PutItem',
    'Query',
    'UpdateItem',
  ] as const),
]
/** Actions on the table that no function has, whatever keys it names. */
const forbidden = [
  ...['Scan', 'DeleteTable', 'UpdateTable', 'ExportTableToPointInTime'],
  ...['UpdateContinuousBackups', 'PartiQLSelect', 'UpdateTimeToLive'],
]

const seed = 20_261_126
const random = createRandom(seed)
const sample = <Value>(list: readonly Value[], count: number): readonly Value[] =>
  [...list]
    .map((value) => [random.below(1_000_000), value] as const)
    .sort(([a], [b]) => a - b)
    .slice(0, count)
    .map(([, value]) => value)

/** A partition key that a text of a grant stands for. */
const keyIn = (text: string): string => (text.endsWith('#') ? `${text}1` : text)
const allKeys: readonly string[] = Object.values(partitions).map(keyIn)
const isGranted = (granted: readonly string[], key: string): boolean =>
  granted.some((text) => fits(keyPatternOf(text), key))

describe('a simulator of IAM', () => {
  it('knows the roles of all functions that use the table', () => {
    const names = Object.entries(grants).flatMap(([name, { table: granted }]) =>
      Object.keys(granted).length > 0 ? [name] : [],
    )
    expect([...policies.keys()]).toEqual(expect.arrayContaining(names))
  })

  it.each([...policies.keys()])('agrees about the role of %s, in both directions', async (name) => {
    const { table: granted } = grants[name]
    const ask = (action: string, resource: string, ...keys: readonly string[]) =>
      simulate(name, `dynamodb:${action}`, resource, keys.length > 0 ? { 'dynamodb:LeadingKeys': keys } : {})
    for (const action of actions) {
      const own = granted[action] ?? []
      const foreign = allKeys.filter((key) => !isGranted(own, key))
      const [other = 'nothing#1'] = sample(foreign, 1)
      for (const text of own) {
        const key = keyIn(text)
        expect(await ask(action, table, key), `${action} ${key}`).toBe('Allowed')
        expect(await ask(action, table, key, other), `${action} ${key} and ${other}`).toBe('ImplicitlyDenied')
      }
      for (const key of sample(foreign, 10))
        expect(await ask(action, table, key), `${action} ${key}`).toBe('ImplicitlyDenied')
      expect(await ask(action, table), `${action} without keys`).toBe('ImplicitlyDenied')
      // The key of an item of another table, which has the same name as far as this one goes.
      if (own[0]) expect(await ask(action, `${table}2`, keyIn(own[0]))).toBe('ImplicitlyDenied')
    }
    for (const [index, lists] of listIndexGrants(grants[name]))
      for (const list of lists) {
        expect(await ask('Query', arnOfIndex(index), keyIn(list)), `${index} ${list}`).toBe('Allowed')
        expect(await ask('Query', arnOfIndex(index), keyIn(list), 'nothing#1')).toBe('ImplicitlyDenied')
      }
    for (const index of indexNames) {
      expect(await ask('Query', arnOfIndex(index), 'nothing#1')).toBe('ImplicitlyDenied')
      expect(await ask('Query', arnOfIndex(index)), `${index} without keys`).toBe('ImplicitlyDenied')
    }
    for (const action of sample(forbidden, 3))
      expect(await ask(action, table, ...sample(allKeys, 1)), action).toBe('ImplicitlyDenied')
  })

  it.each([...policies.keys()])('lets %s use the key of the table through DynamoDB alone', async (name) => {
    const usesTable = Object.keys(grants[name].table).length > 0
    const ofTable = template.Resources[tableId]?.Properties.SSESpecification.KMSMasterKeyId['Fn::GetAtt'][0]
    for (const [id, { Properties }] of keys) {
      const policy = resolve(Properties.KeyPolicy, facts)
      const ask = (action: string, context: Request['contextVariables']) =>
        simulate(name, `kms:${action}`, keyArnOf(id), context, policy)
      const throughTable = { 'kms:ViaService': `dynamodb.${region}.amazonaws.com` }
      expect(await ask('Decrypt', throughTable), id).toBe(
        usesTable && id === ofTable ? 'Allowed' : 'ImplicitlyDenied',
      )
      for (const action of ['Decrypt', 'Encrypt', 'GenerateDataKey', 'ScheduleKeyDeletion', 'PutKeyPolicy'])
        expect(await ask(action, {}), `${action} ${id}`).toBe('ImplicitlyDenied')
    }
  })
})
