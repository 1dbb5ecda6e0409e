import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../infra/app.ts'
import { metricsOfAlarm } from '../test/infra/alarm-evaluator.ts'
import { readNested, resourcesOf, type Template, writeEmptyBundles } from '../test/infra/synthesis.ts'
import type { JsonValue } from '../test/support/client.ts'
import type { MinuteRun, StackParts, Variant } from './recorded-costs.ts'

const domain = {
  region: 'eu-central-1',
  domain: { name: 'auth.example.com', hostedZone: { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' } },
}

const settings: Readonly<Record<Variant, Readonly<Record<string, unknown>>>> = {
  default: {},
  frontDoor: { ...domain, frontDoor: 'true' },
  backupRegion: { region: 'eu-central-1', backup: 'true', backupRegion: 'eu-west-1' },
}

/** Counts the parts of the synthesized templates that cost something each month. */
export const measureParts = (): Readonly<Record<Variant, StackParts>> => ({
  default: countParts(synthesize(settings.default)),
  frontDoor: countParts(synthesize(settings.frontDoor)),
  backupRegion: countParts(synthesize(settings.backupRegion)),
})

const countParts = (templates: readonly Template[]): StackParts => {
  const count = (type: string): number => propertiesOf(templates, type).length
  return {
    keys: count('AWS::KMS::Key') + count('AWS::KMS::ReplicaKey'),
    secrets: count('AWS::SecretsManager::Secret'),
    alarmMetrics: propertiesOf(templates, 'AWS::CloudWatch::Alarm').reduce(
      (sum, alarm) => sum + metricsOfAlarm(alarm).length,
      0,
    ),
    dashboards: count('AWS::CloudWatch::Dashboard'),
    webAcls: count('AWS::WAFv2::WebACL'),
    webAclRules: propertiesOf(templates, 'AWS::WAFv2::WebACL').reduce(
      (sum, { Rules }) => sum + Rules.length,
      0,
    ),
    functions: propertiesOf(templates, 'AWS::Lambda::Function').filter(({ Description }) =>
      String(Description).startsWith('Latchkey: '),
    ).length,
    ...countBackups(templates),
    minuteRuns: {
      'audit-chain': countMinuteRules(templates, 'audit-chain'),
      'backchannel-logout': countMinuteRules(templates, 'backchannel-logout'),
    },
  }
}

const propertiesOf = (templates: readonly Template[], type: string): readonly JsonValue[] =>
  templates.flatMap((template) => resourcesOf(template, type).map(([, { Properties }]) => Properties))

/** Days between two backups of a schedule. */
const daysOf = (schedule: string): number => {
  const [, , dayOfMonth, , dayOfWeek] = schedule.replace(/^cron\(|\)$/g, '').split(' ')
  if (/^\d+$/.test(dayOfMonth ?? '')) return 30
  return dayOfWeek === '?' || dayOfWeek === '*' ? 1 : 7
}

/** The most copies that the rules of backup plans keep. */
const countBackups = (templates: readonly Template[]): Pick<StackParts, 'backups' | 'copies'> => {
  const rules: readonly JsonValue[] = propertiesOf(templates, 'AWS::Backup::BackupPlan').flatMap(
    ({ BackupPlan }) => BackupPlan.BackupPlanRule,
  )
  const countKept = (lifecycle: JsonValue, schedule: string): number =>
    Math.floor((lifecycle?.DeleteAfterDays ?? 0) / daysOf(schedule))
  return {
    backups: rules.reduce((sum, rule) => sum + countKept(rule.Lifecycle, rule.ScheduleExpression), 0),
    copies: rules.reduce(
      (sum, { CopyActions = [], ScheduleExpression }) =>
        sum +
        CopyActions.reduce(
          (all: number, { Lifecycle }: JsonValue) => all + countKept(Lifecycle, ScheduleExpression),
          0,
        ),
      0,
    ),
  }
}

const countMinuteRules = (templates: readonly Template[], name: MinuteRun): number => {
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
const synthesize = (context: Readonly<Record<string, unknown>>): readonly Template[] => {
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
