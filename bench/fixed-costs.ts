import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../infra/app.ts'
import { createAuditCompletion } from '../lib/features/audit/clock.records.ts'
import { maintainChains } from '../lib/features/audit/maintain-chains.ts'
import { buildAuditStep } from '../lib/features/audit/records.ts'
import { createClientPauses, runDueJobs } from '../lib/features/oauth/run-logout-jobs.ts'
import { serviceSettings } from '../lib/kernel/settings/service-settings.ts'
import { metricsOfAlarm } from '../test/infra/alarm-evaluator.ts'
import { startProxy } from '../test/infra/dynamodb-proxy.ts'
import { readNested, resourcesOf, type Template, writeEmptyBundles } from '../test/infra/synthesis.ts'
import { startAuditTable } from '../test/support/audit-table.ts'
import type { JsonValue } from '../test/support/client.ts'
import { costMeter } from './cost-meter.ts'
import { fixedPrices, prices } from './prices.ts'

/* What a service costs without requests: the parts of the synthesized templates with their prices. */

const domain = {
  region: 'eu-central-1',
  domainName: 'auth.example.com',
  hostedZoneId: 'Z0123456789ABCDEFGHIJ',
  hostedZoneName: 'example.com',
}

/** The settings of each column of the table. */
const variants = {
  default: {},
  '`frontDoor`': { ...domain, frontDoor: 'true' },
  '`backupRegion`': { region: 'eu-central-1', backup: 'true', backupRegion: 'eu-west-1' },
} as const

const [price] = prices
/** Months have 730 hours, as on the pages of AWS. */
const minutesOfMonth = 730 * 60
/** The assumed billed time of a run of a schedule that finds nothing to do, in milliseconds. */
const idleRunMs = 100

/** Read units of a run that finds nothing to do, by function. */
export type IdleReads = Readonly<Record<'audit-chain' | 'backchannel-logout', number>>

/** Measures what the functions read every minute on a table without new events and jobs. */
export const measureIdleReads = async (engine: string): Promise<IdleReads> => {
  const meter = costMeter()
  const proxy = await startProxy({ endpoint: engine, onCall: meter.onCall })
  process.env['DYNAMODB_ENDPOINT'] = proxy.url
  const audit = await startAuditTable(Date.now())
  const { services } = audit
  const run = { services, pauses: createClientPauses(), requestId: 'idle' }
  try {
    await maintainChains(services, services.log)
    meter.take()
    await maintainChains(services, services.log)
    const chain = meter.take().readUnits
    await runDueJobs(run, () => true)
    return { 'audit-chain': chain, 'backchannel-logout': meter.take().readUnits }
  } finally {
    audit.close()
    await proxy.close()
    process.env['DYNAMODB_ENDPOINT'] = engine
  }
}

/** Formats the table of what a service costs without requests, with a column for each of `variants`. */
export const formatFixedCosts = (reads: IdleReads): string => {
  const columns = Object.values(variants).map(synthesize)
  const runs = Object.entries(reads).map(([name, units]) => ({ name, dollars: priceRuns(units) }))
  const lines: readonly (readonly [string, number, (template: readonly Template[]) => number])[] = [
    ['KMS key', fixedPrices.key, (all) => count(all, 'AWS::KMS::Key') + count(all, 'AWS::KMS::ReplicaKey')],
    ['secret', fixedPrices.secret, (all) => count(all, 'AWS::SecretsManager::Secret')],
    ['metric in an alarm', fixedPrices.alarmMetric, countAlarmMetrics],
    ['dashboard', fixedPrices.dashboard, (all) => count(all, 'AWS::CloudWatch::Dashboard')],
    ['web ACL', fixedPrices.webAcl, (all) => count(all, 'AWS::WAFv2::WebACL')],
    ['rule of a web ACL', fixedPrices.webAclRule, countRules],
    ...runs.map(
      ({ name, dollars }) =>
        [
          `\`${name}\`, every minute`,
          dollars,
          (all: readonly Template[]) => countMinuteRules(all, name),
        ] as const,
    ),
  ]
  const totals = columns.map((all) =>
    lines.reduce((sum, [, dollars, countIn]) => sum + dollars * countIn(all), 0),
  )
  const rows = lines.map(([part, dollars, countIn]) => [part, dollars.toFixed(2), ...columns.map(countIn)])
  return [
    ['part', '$ a month each', ...Object.keys(variants)],
    ['---', '---', ...columns.map(() => '---')],
    ...rows,
    ['**total, $ a month**', '', ...totals.map((total) => total.toFixed(2))],
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

const priceRuns = (readUnits: number): number =>
  price === undefined
    ? Number.NaN
    : (minutesOfMonth / 1e6) *
      (price.invocations + readUnits * price.readUnits + (512 / 1024) * idleRunMs * 1000 * price.gbSecond)

const count = (templates: readonly Template[], type: string): number =>
  templates.reduce((sum, template) => sum + resourcesOf(template, type).length, 0)

const propertiesOf = (templates: readonly Template[], type: string): readonly JsonValue[] =>
  templates.flatMap((template) => resourcesOf(template, type).map(([, { Properties }]) => Properties))

const countAlarmMetrics = (templates: readonly Template[]): number =>
  propertiesOf(templates, 'AWS::CloudWatch::Alarm').reduce(
    (sum, alarm) => sum + metricsOfAlarm(alarm).length,
    0,
  )

const countRules = (templates: readonly Template[]): number =>
  propertiesOf(templates, 'AWS::WAFv2::WebACL').reduce((sum, { Rules }) => sum + Rules.length, 0)

const countMinuteRules = (templates: readonly Template[], name: string): number => {
  const targets = templates.flatMap((template) =>
    resourcesOf(template, 'AWS::Lambda::Function').flatMap(([id, { Properties }]) =>
      Properties.Description === `Latchkey: ${name}` ? [id] : [],
    ),
  )
  return propertiesOf(templates, 'AWS::Events::Rule').filter(
    ({ ScheduleExpression, Targets }) =>
      ScheduleExpression === 'rate(1 minute)' && targets.includes(Targets[0].Arn['Fn::GetAtt'][0]),
  ).length
}

/** The templates of all stacks. Functions have no code in them, so that nothing is bundled. */
const synthesize = (context: Readonly<Record<string, string>>): readonly Template[] => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-costs-'))
  try {
    const bundleDir = writeEmptyBundles(join(folder, 'bundles'))
    const app = createApp({ outdir: join(folder, 'out'), bundleDir, context })
    const templates: readonly Template[] = app.synth().stacks.map(({ template }) => template)
    const [service] = templates.filter(
      (template) => resourcesOf(template, 'AWS::ApiGatewayV2::Api').length > 0,
    )
    return service ? [...templates, readNested(join(folder, 'out'), service, 'Monitoring')] : templates
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The audit events of a daily user: a sign-in, and ten tickets that are created and checked. */
const eventsPerDay = 21
const dayMs = 24 * 60 * 60_000
const defaultRetentionDays = serviceSettings.auditRetentionDays.default ?? 0

/** The size of an event as DynamoDB bills it: the item, its index entry with the keys alone, and 100 bytes of overhead for each. */
const auditEventBytes = (): number => {
  const step = buildAuditStep({
    at: Date.UTC(2026, 0, 1),
    event: 'ticket.exchanged',
    user: 12_345,
    actor: 12_345,
    address: '192.0.2.123',
    requestId: '0123456789abcdef0123',
    target: null,
    outcome: 'succeeded',
    credential: 'session',
    userAgent: 'x'.repeat(120),
  })
  const expire = createAuditCompletion({ tableName: '', retentionMs: defaultRetentionDays * dayMs })
  const item = 'put' in step ? expire(step.put) : {}
  const sizeOf = (value: unknown): number =>
    typeof value === 'number'
      ? Math.ceil(String(value).length / 2) + 1
      : Buffer.byteLength(String(value ?? ' '))
  const sum = (entries: readonly (readonly [string, unknown])[]) =>
    entries.reduce((bytes, [name, value]) => bytes + Buffer.byteLength(name) + sizeOf(value), 0)
  const entries = Object.entries(item)
  const keys = entries.filter(([name]) => ['pk', 'sk', 'lpk', 'lsk'].includes(name))
  // Numbers of shards have one or two digits.
  return Math.round((sum(entries) + 100 + sum(keys) + 100) / 10) * 10
}

/** Formats the table of what stored audit events cost, in a service that is older than their retention. */
export const formatAuditCosts = (
  products: readonly { readonly name: string; readonly dailyUsers: number }[],
): string => {
  const days = defaultRetentionDays
  const rows = products.map(({ name, dailyUsers }) => {
    const perMonth = dailyUsers * 30 * eventsPerDay
    const gigabytes = (dailyUsers * eventsPerDay * days * auditEventBytes()) / 1e9
    const dollars = gigabytes * (fixedPrices.tableGb + fixedPrices.recoveryGb)
    const format = (value: number) => Number(value.toPrecision(3)).toLocaleString('en-US')
    return `| ${[name, perMonth.toLocaleString('en-US'), format(gigabytes), format(dollars)].join(' | ')} |`
  })
  return [
    `| product | events a month | GB after ${days} days | $ a month, us-east-1 |`,
    '| --- | --- | --- | --- |',
    ...rows,
  ].join('\n')
}
