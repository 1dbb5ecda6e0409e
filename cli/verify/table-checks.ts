import * as z from 'zod/mini'
import { type Account, checkInside, read } from './account.ts'
import { type Check, Failed, Skipped } from './check.ts'

/** The checks of the table, its keys and its backups. */
export const buildTableChecks = (account: Account): readonly Check[] => {
  const check = checkInside(account)
  return [
    check(
      {
        id: 'table',
        title: 'Table',
        advice: 'Look at the state of the table, and at the key that encrypts it.',
        docs: 'docs/operate.md#a-disabled-kms-key',
      },
      checkTable,
    ),
    check(
      {
        id: 'recovery',
        title: 'Recovery of the table',
        advice: 'Run the command table prepare for an adopted table. For any other table, deploy again.',
        docs: 'docs/operate.md#adopt-a-table',
      },
      checkRecovery,
    ),
    check(
      {
        id: 'backup',
        title: 'AWS Backup',
        advice: 'Look at the jobs of the vault in AWS Backup.',
        docs: 'docs/operate.md#back-up-and-restore',
      },
      checkBackup,
    ),
    check(
      {
        id: 'keys',
        title: 'KMS keys',
        advice: 'Enable the key, or cancel its deletion.',
        docs: 'docs/operate.md#a-disabled-kms-key',
      },
      checkKeys,
    ),
  ]
}

const TableDescription = z.object({
  Table: z.object({
    TableStatus: z.string(),
    DeletionProtectionEnabled: z.optional(z.boolean()),
    StreamSpecification: z.optional(z.object({ StreamEnabled: z.optional(z.boolean()) })),
    SSEDescription: z.optional(z.object({ KMSMasterKeyArn: z.optional(z.string()) })),
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

const checkBackup = async ({ aws, stack }: Account): Promise<string> => {
  const { resources } = await stack()
  const vault = resources.find(({ type }) => type === 'AWS::Backup::BackupVault')
  if (!vault) throw new Skipped('The setting backup is off.')
  const path = `/backup-vaults/${encodeURIComponent(vault.name)}/recovery-points/?maxResults=1000`
  const { RecoveryPoints: points } = read(RecoveryPoints, await (await aws()).get('backup', path))
  if (points.length === 0) throw new Skipped('There is no backup yet. The first one takes up to a day.')
  const times = points.filter(({ Status }) => !useless.test(Status)).map(({ CreationDate }) => CreationDate)
  const hours = Math.floor((Date.now() / 1000 - Math.max(0, ...times)) / 3600)
  if (hours > maxAgeHours) throw new Failed('There is no backup of the last two days.')
  return `The latest of ${times.length} backups is ${hours} hours old.`
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
  const { TableStatus } = await readTable(account)
  if (!/^(?:ACTIVE|UPDATING)$/.test(TableStatus)) throw new Failed(`The table has the status ${TableStatus}.`)
  return `The status is ${TableStatus}.`
}
