import * as z from 'zod/mini'
import { newTableUnits, tableUnitsQuota } from '../../lib/kernel/limits/aws-limits.ts'
import { type Account, read } from './account.ts'
import type { Aws } from './aws.ts'
import { type AreaCheck, Failed, Skipped } from './check.ts'
import { findQuota, type Quota, readQuotas } from './quotas.ts'

/** The checks of the table, its keys and its backups. */
export const buildTableChecks = (account: Account): readonly AreaCheck[] => [
  {
    id: 'table',
    title: 'Table',
    advice:
      'Look at the state of the table, and at the key that encrypts it. For a higher quota of DynamoDB, ask AWS.',
    docs: 'docs/operate.md#a-disabled-kms-key',
    run: () => checkTable(account),
  },
  {
    id: 'recovery',
    title: 'Recovery of the table',
    advice: 'Run the command table prepare for an adopted table. For any other table, deploy again.',
    docs: 'docs/operate.md#adopt-a-table',
    run: () => checkRecovery(account),
  },
  {
    id: 'backup',
    title: 'AWS Backup',
    advice: 'Look at the jobs of the vault in AWS Backup.',
    docs: 'docs/operate.md#back-up-and-restore',
    run: () => checkBackup(account),
  },
  {
    id: 'keys',
    title: 'KMS keys',
    advice: 'Enable the key, or cancel its deletion.',
    docs: 'docs/operate.md#a-disabled-kms-key',
    run: () => checkKeys(account),
  },
]

const TableDescription = z.object({
  Table: z.object({
    TableStatus: z.string(),
    DeletionProtectionEnabled: z.optional(z.boolean()),
    StreamSpecification: z.optional(z.object({ StreamEnabled: z.optional(z.boolean()) })),
    SSEDescription: z.optional(z.object({ KMSMasterKeyArn: z.optional(z.string()) })),
    WarmThroughput: z.optional(
      z.object({ ReadUnitsPerSecond: z.optional(z.number()), WriteUnitsPerSecond: z.optional(z.number()) }),
    ),
    OnDemandThroughput: z.optional(
      z.object({
        MaxReadRequestUnits: z.optional(z.number()),
        MaxWriteRequestUnits: z.optional(z.number()),
      }),
    ),
  }),
})

const readTable = async ({ aws, tableName }: Account) => {
  const answer = await (await aws()).json('dynamodb', 'DescribeTable', { TableName: await tableName() })
  return read(TableDescription, answer).Table
}

const Backups = z.object({
  ContinuousBackupsDescription: z.object({
    PointInTimeRecoveryDescription: z.optional(z.object({ PointInTimeRecoveryStatus: z.string() })),
  }),
})
const Expiry = z.object({ TimeToLiveDescription: z.object({ TimeToLiveStatus: z.string() }) })

const checkRecovery = async (account: Account): Promise<string> => {
  const client = await account.aws()
  const TableName = await account.tableName()
  const { DeletionProtectionEnabled, StreamSpecification } = await readTable(account)
  const backups = read(Backups, await client.json('dynamodb', 'DescribeContinuousBackups', { TableName }))
  const expiry = read(Expiry, await client.json('dynamodb', 'DescribeTimeToLive', { TableName }))
  const { PointInTimeRecoveryDescription } = backups.ContinuousBackupsDescription
  const isOn = {
    'point-in-time recovery': PointInTimeRecoveryDescription?.PointInTimeRecoveryStatus === 'ENABLED',
    'the stream': StreamSpecification?.StreamEnabled === true,
    'the expiry of items': expiry.TimeToLiveDescription.TimeToLiveStatus.startsWith('ENABL'),
  }
  const off = Object.entries(isOn).flatMap(([name, is]) => (is ? [] : [name]))
  if (off.length > 0) throw new Failed(`Not turned on: ${off.join(', ')}.`)
  const protection = DeletionProtectionEnabled === true ? 'on' : 'off, as with removalPolicy destroy'
  return `Point-in-time recovery is on. Deletion protection is ${protection}.`
}

const RecoveryPoints = z.object({
  RecoveryPoints: z.array(z.object({ Status: z.string(), CreationDate: z.number() })),
})

/** The plan makes a backup each day, which takes some hours. */
const maxAgeHours = 48
/** All other states are those of a backup that is complete or being made. */
const useless = /^(?:PARTIAL|EXPIRED|DELETING|STOPPED)$/

const Plan = z.object({
  BackupPlan: z.object({
    Rules: z.array(
      z.object({ CopyActions: z.optional(z.array(z.object({ DestinationBackupVaultArn: z.string() }))) }),
    ),
  }),
})

/** The ages of the backups in a vault, in hours. */
const readAges = async (aws: Aws, vault: string): Promise<readonly number[]> => {
  const path = `/backup-vaults/${encodeURIComponent(vault)}/recovery-points/?maxResults=1000`
  const { RecoveryPoints: points } = read(RecoveryPoints, await aws.get('backup', path))
  return points
    .filter(({ Status }) => !useless.test(Status))
    .map(({ CreationDate }) => Math.floor((Date.now() / 1000 - CreationDate) / 3600))
}

/** The vaults of copies in other regions. */
export const readCopyVaults = async (aws: Aws, plan: string): Promise<readonly string[]> => {
  const answer = await aws.get('backup', `/backup/plans/${encodeURIComponent(plan)}/`)
  const actions = read(Plan, answer).BackupPlan.Rules.flatMap(({ CopyActions = [] }) => CopyActions)
  return [...new Set(actions.map(({ DestinationBackupVaultArn: arn }) => arn))]
}

const checkBackup = async ({ aws, awsIn, stack }: Account): Promise<string> => {
  const { resources } = await stack()
  const nameOf = (type: string) => resources.find((one) => one.type === type)?.name
  const vault = nameOf('AWS::Backup::BackupVault')
  const plan = nameOf('AWS::Backup::BackupPlan')
  if (vault === undefined || plan === undefined) throw new Skipped('The setting backup is off.')
  const ages = await readAges(await aws(), vault)
  if (ages.length === 0) throw new Skipped('There is no backup yet. The first one takes up to a day.')
  if (Math.min(...ages) > maxAgeHours) throw new Failed('There is no backup of the last two days.')
  const copies = await readCopyVaults(await aws(), plan)
  for (const arn of copies) {
    const [, , , region = '', , , name = ''] = arn.split(':')
    const copied = await readAges(await awsIn(region), name)
    if (Math.min(...copied) > maxAgeHours && Math.max(...ages) > maxAgeHours)
      throw new Failed(`There is no copy of the last two days in ${region}.`)
  }
  const where = copies.length > 0 ? ', and its copy is in another region' : ''
  return `The latest of ${ages.length} backups is ${Math.min(...ages)} hours old${where}.`
}

const Key = z.object({ KeyMetadata: z.object({ KeyState: z.string() }) })

const checkKeys = async (account: Account): Promise<string> => {
  const client = await account.aws()
  const { SSEDescription } = await readTable(account)
  const outputs = account.stackName === undefined ? undefined : (await account.stack()).findOutput
  const keys = new Map([
    ['the table', SSEDescription?.KMSMasterKeyArn],
    ['second factors', outputs?.('VaultKeyArn')],
    ['audit checkpoints', outputs?.('AuditKeyArn')],
  ])
  const known = [...keys].filter((entry): entry is [string, string] => entry[1] !== undefined)
  if (known.length === 0) throw new Skipped('No KMS key is known. AWS owns the key of the table.')
  for (const [purpose, arn] of known) {
    const { KeyState } = read(Key, await client.json('kms', 'DescribeKey', { KeyId: arn })).KeyMetadata
    if (KeyState !== 'Enabled') throw new Failed(`The key of ${purpose} has the state ${KeyState}.`)
  }
  return `The keys of ${known.map(([purpose]) => purpose).join(', ')} are enabled.`
}

const checkTable = async (account: Account): Promise<string> => {
  const table = await readTable(account)
  const { TableStatus } = table
  if (!/^(?:ACTIVE|UPDATING)$/.test(TableStatus)) throw new Failed(`The table has the status ${TableStatus}.`)
  const throughput = compareThroughput(table, await readQuotas(await account.aws(), 'dynamodb'))
  return `The status is ${TableStatus}. It takes ${throughput}.`
}

/** Compares what the table takes with the quotas of a table. DynamoDB shows a missing ceiling as -1. */
const compareThroughput = (
  { WarmThroughput: warm = {}, OnDemandThroughput: max = {} }: z.output<typeof TableDescription>['Table'],
  quotas: readonly Quota[],
): string =>
  [
    {
      kind: 'read' as const,
      atOnce: warm.ReadUnitsPerSecond,
      ceiling: max.MaxReadRequestUnits,
      name: /^table-level read/i,
    },
    {
      kind: 'write' as const,
      atOnce: warm.WriteUnitsPerSecond,
      ceiling: max.MaxWriteRequestUnits,
      name: /^table-level write/i,
    },
  ]
    .map(({ kind, name, ceiling = -1, atOnce = newTableUnits[kind] }) => {
      const quota = findQuota(quotas, name) ?? tableUnitsQuota[kind]
      if (ceiling > quota)
        throw new Failed(`The table may take ${ceiling} ${kind} units a second, but the quota is ${quota}.`)
      const most = ceiling > 0 ? ceiling : quota
      return `${Math.min(atOnce, most)} ${kind} units a second at once and up to ${most}`
    })
    .join(', ')
