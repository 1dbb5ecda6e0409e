import { getBilledMs } from '../../bench/price-operation.ts'
import {
  type FlowName,
  type KeyUnits,
  type RecordedCosts,
  type RecordedFlow,
  readRecordedCosts,
} from '../../bench/recorded-costs.ts'
import {
  emailsQuota,
  executionsQuota,
  gatewayRequestsQuota,
  newTableUnits,
  partitionUnits,
  tableUnitsQuota,
} from '../../lib/kernel/limits/aws-limits.ts'
import { stackSettings } from '../../lib/kernel/settings/stack-settings.ts'
import { activeUserShards } from '../../lib/kernel/table/keys/active-user-shards.ts'
import { auditShards } from '../../lib/kernel/table/keys/audit-shards.ts'
import { organizationRightsCopies } from '../../lib/kernel/table/keys/organization-keys.ts'
import { replaceGeneratedPart } from './generated-part.ts'
import { markdownTable } from './operations-page.ts'

/*
 * The part of the page about scale that says where a service stops: limits of AWS and of the settings, divided by what the bench
 * recorded. Nothing else stands in its tables.
 */

const path = 'docs/scaling.md'

interface Load {
  readonly title: string
  readonly flows: readonly FlowName[]
  /** What is asked for, with their times. */
  readonly operations: readonly string[]
  /** Requests beside those of the operations, for files. */
  readonly otherRequests?: (costs: RecordedCosts) => number
  /** Whether AWS calls the function past the API of the service. */
  readonly isPastApi?: boolean
}

const coldPage = ({ signInPage }: RecordedCosts): number => 2 + signInPage.files
const clientOperations = ['start_authorization', 'resume_authorization', 'issue_tokens', 'get_userinfo']

const loads: readonly Load[] = [
  {
    title: 'sign-in from a known network',
    flows: ['signInFromKnownNetwork'],
    operations: ['login'],
  },
  { title: 'sign-in from a new network', flows: ['signInFromNewNetwork'], operations: ['login'] },
  {
    title: 'sign-in from a new network, with the email about it',
    flows: ['signInWithNotice'],
    operations: ['login'],
  },
  {
    title: 'cold sign-in page, and a sign-in through a client',
    flows: ['signInFromNewNetwork', 'signInAtClient', 'userinfo'],
    operations: ['login', ...clientOperations],
    otherRequests: coldPage,
  },
  { title: 'who am I, on each page of a product', flows: ['visit'], operations: ['get_current_user'] },
  { title: 'first request of a user on a day', flows: ['firstVisitOfDay'], operations: ['get_current_user'] },
  { title: 'introspection through one client', flows: ['introspection'], operations: ['introspect_token'] },
  { title: 'refresh of tokens of one client', flows: ['refresh'], operations: ['issue_tokens'] },
  {
    title: 'Lambda authorizer with a session, not cached',
    flows: ['authorizer'],
    operations: ['get_current_user'],
    isPastApi: true,
  },
  {
    title: 'who am I in an organization, of 8 roles with 10 permissions',
    flows: ['visitInOrganization'],
    operations: ['get_current_user'],
  },
  {
    title: 'who am I in an organization, of 40 roles with 40 permissions',
    flows: ['visitWithManyRoles'],
    operations: ['get_current_user'],
  },
  {
    title: 'Lambda authorizer with an organization, of 8 roles with 10 permissions',
    flows: ['authorizerInOrganization'],
    operations: ['get_current_user'],
    isPastApi: true,
  },
  {
    title: 'Lambda authorizer with an organization, of 40 roles with 40 permissions',
    flows: ['authorizerWithManyRoles'],
    operations: ['get_current_user'],
    isPastApi: true,
  },
  {
    title: 'Lambda authorizer with an API token of one organization',
    flows: ['organizationToken'],
    operations: ['get_current_user'],
    isPastApi: true,
  },
  {
    title: 'ticket that is created and exchanged',
    flows: ['ticket'],
    operations: ['create_auth_ticket', 'check_auth_ticket'],
  },
  {
    title: 'redemption of access links, each of another one',
    flows: ['linkRedemption'],
    operations: ['redeem_access_token'],
  },
]

/** Keys that many people share, and over how many partitions each kind is spread. */
const sharedKeys = new Map<string, { readonly name: string; readonly partitions: number }>([
  ['active-users', { name: 'counter of active users', partitions: activeUserShards }],
  ['audit', { name: 'audit events', partitions: auditShards.length }],
  ['oidc-client', { name: 'one client', partitions: 1 }],
  ['protected-api-audience', { name: 'one API', partitions: 1 }],
  ['organization', { name: 'one organization', partitions: 1 }],
  ['organization-rights', { name: 'what roles allow', partitions: organizationRightsCopies }],
  ['settings#sign-in-policy', { name: 'the sign-in policy', partitions: 1 }],
])

/** Keys of one person, link, network or token. */
export const ownKeys: ReadonlySet<string> = new Set([
  ...['user', 'username', 'email', 'login-pair', 'rate', 'outbox', 'ticket', 'access-token'],
  ...['oidc-code', 'oidc-grant', 'oidc-refresh-token', 'oidc-revoked-token'],
])

export const isKnownKey = (kind: string): boolean => sharedKeys.has(kind) || ownKeys.has(kind)

interface Limit {
  readonly name: string
  readonly perSecond: number
}

interface Usage extends RecordedFlow {
  readonly requests: number
  readonly seconds: number
}

const add = (a: KeyUnits | undefined, b: KeyUnits): KeyUnits => ({
  reads: (a?.reads ?? 0) + b.reads,
  writes: (a?.writes ?? 0) + b.writes,
})

const measureLoad = (load: Load, costs: RecordedCosts): Usage => {
  const flows = load.flows.map((name) => costs.flows[name])
  const sum = (read: (flow: RecordedFlow) => number): number =>
    flows.reduce((total, flow) => total + read(flow), 0)
  const keys = new Map<string, KeyUnits>()
  for (const flow of flows)
    for (const [kind, units] of Object.entries(flow.keys)) keys.set(kind, add(keys.get(kind), units))
  const times = load.operations.map((id) => {
    const operation = costs.operations[id]
    if (!operation) throw new Error(`The operation ${id} is not recorded.`)
    return getBilledMs(id, operation)
  })
  return {
    calls: sum(({ calls }) => calls),
    readUnits: sum(({ readUnits }) => readUnits),
    writeUnits: sum(({ writeUnits }) => writeUnits),
    keys: Object.fromEntries(keys),
    requests: load.isPastApi ? 0 : load.operations.length + (load.otherRequests?.(costs) ?? 0),
    seconds: times.reduce((total, ms) => total + ms, 0) / 1000,
  }
}

/** What a load reaches, smallest first. What it does not use does not limit it. */
const listLimits = (usage: Usage): readonly Limit[] => {
  const limits: readonly (Limit & { readonly each: number })[] = [
    {
      name: '`requestsPerSecond`',
      perSecond: stackSettings.requestsPerSecond.default ?? 0,
      each: usage.requests,
    },
    { name: 'write units of a new table', perSecond: newTableUnits.write, each: usage.writeUnits },
    { name: 'read units of a new table', perSecond: newTableUnits.read, each: usage.readUnits },
    {
      name: `${number(executionsQuota.usual)} executions`,
      perSecond: executionsQuota.usual,
      each: usage.seconds,
    },
    ...Object.entries(usage.keys).flatMap(([kind, { reads, writes }]) => {
      const shared = sharedKeys.get(kind)
      if (!shared) return []
      const { name, partitions } = shared
      return [
        { name: `reads of the key of ${name}`, perSecond: partitionUnits.read * partitions, each: reads },
        { name: `writes of the key of ${name}`, perSecond: partitionUnits.write * partitions, each: writes },
      ]
    }),
  ]
  return limits
    .filter(({ each }) => each > 0)
    .map(({ name, perSecond, each }) => ({ name, perSecond: Math.floor(perSecond / each) }))
    .sort((a, b) => a.perSecond - b.perSecond)
}

const number = (value: number): string => value.toLocaleString('en-US')
const describe = (limit: Limit | undefined): string =>
  limit ? `${number(limit.perSecond)}: ${limit.name}` : '–'

/** The first limits of each load, for the page and its test. */
export const findFirstLimits = (costs: RecordedCosts): ReadonlyMap<string, readonly Limit[]> =>
  new Map(loads.map((load) => [load.title, listLimits(measureLoad(load, costs))]))

const formatLimits = (costs: RecordedCosts): string =>
  markdownTable(
    [
      'what happens',
      'most of it in a second',
      'next limit',
      'third limit',
      'in an account with 10 executions',
    ],
    loads.map((load) => {
      const usage = measureLoad(load, costs)
      const [first, second, third] = listLimits(usage)
      const few = Math.min(
        first?.perSecond ?? Number.POSITIVE_INFINITY,
        Math.floor(executionsQuota.newAccount / usage.seconds),
      )
      return [load.title, describe(first), describe(second), describe(third), number(few)]
    }),
  )

const formatUsage = (costs: RecordedCosts): string =>
  markdownTable(
    ['what happens', 'requests', 'table calls', 'write units', 'read units', 'milliseconds', 'shared keys'],
    loads.map((load) => {
      const { requests, calls, writeUnits, readUnits, seconds, keys } = measureLoad(load, costs)
      const shared = Object.entries(keys).flatMap(([kind, { reads, writes }]) => {
        const known = sharedKeys.get(kind)
        const parts = [reads && `${reads} read`, writes && `${writes} written`].filter(Boolean)
        return known ? [`${known.name}: ${parts.join(', ')}`] : []
      })
      return [
        load.title,
        ...[requests, calls, writeUnits, readUnits, Math.round(seconds * 1000)].map(number),
        shared.join('; ') || '–',
      ]
    }),
  )

const formatAwsLimits = (): string =>
  markdownTable(
    ['limit of AWS', 'number', 'what raises it'],
    [
      [
        'units a second of a new table, and of each of its indexes',
        `${number(newTableUnits.write)} write, ${number(newTableUnits.read)} read`,
        '`warmWriteUnits`, `warmReadUnits`, or load that grows slowly',
      ],
      [
        'units a second of one partition key',
        `${number(partitionUnits.write)} write, ${number(partitionUnits.read)} read`,
        'nothing',
      ],
      [
        'units a second of one table',
        `${number(tableUnitsQuota.write)} write, ${number(tableUnitsQuota.read)} read`,
        'quota of DynamoDB',
      ],
      [
        'requests a second of all HTTP APIs of an account and region',
        `${number(gatewayRequestsQuota.perSecond)}, bursts of ${number(gatewayRequestsQuota.inBurst)}`,
        'quota of API Gateway',
      ],
      [
        'executions at the same time',
        `${executionsQuota.newAccount} in a new account, usually ${number(executionsQuota.usual)} on request`,
        'quota of Lambda',
      ],
      [
        'emails',
        `${emailsQuota.sandbox.perSecond} a second and ${emailsQuota.sandbox.perDay} a day in the sandbox, then often ${emailsQuota.production.perSecond} and ${number(emailsQuota.production.perDay)}`,
        'quota of SES. Emails wait for up to a day',
      ],
    ],
  )

const generate = (costs: RecordedCosts): string =>
  [
    `These are the limits of a new table, with the default settings and a quota of ${number(executionsQuota.usual)} executions. Each number is a
limit divided by what one of these takes. What comes first stops the load, and Latchkey then answers 429 or 503 with \`Retry-After\`.`,
    formatLimits(costs),
    '### What each of them takes',
    `\`npm run cost -- --write\` measures this on the real handlers with the embedded engine, and a test measures it again. Items are small: a
user of more than 1 KB takes more units. Times are those of [Cost](cost.md#operations).`,
    formatUsage(costs),
    '### Limits of AWS',
    'Quotas differ by region and account. `latchkey verify` compares yours with the settings.',
    formatAwsLimits(),
  ].join('\n\n')

/** Writes the generated part of docs/scaling.md. */
export const scalingPage = (costs: RecordedCosts = readRecordedCosts()): string =>
  replaceGeneratedPart(path, 'the recorded units and the limits of AWS', generate(costs))
