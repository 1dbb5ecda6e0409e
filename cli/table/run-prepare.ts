import {
  CreateTableCommand,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTagsOfResourceCommand,
  type TableDescription,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { indexNames, tableDefinition } from '../../lib/kernel/table/table.ts'
import { retry } from '../../lib/kernel/util/work.ts'
import { CommandFailure } from '../../local/command-failure.ts'
import { buildTableInput } from '../../local/dynamodb.ts'
import { exitCodes } from '../exit-codes.ts'
import type { TableCommand } from './command.ts'

/** Reads and changes the settings of a table, which the functions of a service may not. */
export interface TableControl {
  describe(name: string): Promise<TableDescription>
  /** Creates an empty table that a KMS key encrypts, and waits until it can be used. */
  create(name: string, keyArn: string): Promise<void>
  hasExpiry(name: string): Promise<boolean>
  turnOnExpiry(name: string): Promise<void>
  hasRecovery(name: string): Promise<boolean>
  turnOnRecovery(name: string): Promise<void>
  turnOnStream(name: string): Promise<void>
  turnOnProtection(name: string): Promise<void>
  listTags(arn: string): Promise<readonly Tag[]>
  addTags(arn: string, tags: readonly Tag[]): Promise<void>
}

export interface Tag {
  readonly key: string
  readonly value: string
}

class TableBusy extends Error {}

const waiting = { attempts: 600, baseMs: 50, capMs: 5000 } as const

export const openTableControl = (endpoint: string | undefined): TableControl => {
  const client = new DynamoDBClient(endpoint ? { endpoint } : {})
  const describe = async (name: string): Promise<TableDescription> =>
    (await client.send(new DescribeTableCommand({ TableName: name }))).Table ?? {}
  /** DynamoDB refuses a change while it makes another one. */
  const waitUntilActive = (name: string): Promise<void> =>
    retry(
      async () => {
        if ((await describe(name)).TableStatus !== 'ACTIVE') throw new TableBusy()
      },
      { ...waiting, isRetryable: (error) => error instanceof TableBusy },
    )
  return {
    describe,
    create: async (name, keyArn) => {
      await client.send(
        new CreateTableCommand({
          ...buildTableInput(name),
          SSESpecification: { Enabled: true, SSEType: 'KMS', KMSMasterKeyId: keyArn },
        }),
      )
      await waitUntilActive(name)
    },
    hasExpiry: async (name) => {
      const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }))
      const { TimeToLiveStatus = '', AttributeName } = TimeToLiveDescription ?? {}
      return TimeToLiveStatus.startsWith('ENABL') && AttributeName === tableDefinition.ttlAttribute
    },
    turnOnExpiry: async (name) => {
      const specification = { Enabled: true, AttributeName: tableDefinition.ttlAttribute }
      await client.send(
        new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification: specification }),
      )
    },
    hasRecovery: async (name) => {
      const { ContinuousBackupsDescription } = await client.send(
        new DescribeContinuousBackupsCommand({ TableName: name }),
      )
      const recovery = ContinuousBackupsDescription?.PointInTimeRecoveryDescription
      return recovery?.PointInTimeRecoveryStatus === 'ENABLED'
    },
    turnOnRecovery: async (name) => {
      const specification = { PointInTimeRecoveryEnabled: true }
      await client.send(
        new UpdateContinuousBackupsCommand({
          TableName: name,
          PointInTimeRecoverySpecification: specification,
        }),
      )
    },
    turnOnStream: async (name) => {
      const specification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } as const
      await client.send(new UpdateTableCommand({ TableName: name, StreamSpecification: specification }))
      await waitUntilActive(name)
    },
    turnOnProtection: async (name) => {
      await client.send(new UpdateTableCommand({ TableName: name, DeletionProtectionEnabled: true }))
      await waitUntilActive(name)
    },
    listTags: async (arn) => {
      const { Tags = [] } = await client.send(new ListTagsOfResourceCommand({ ResourceArn: arn }))
      return Tags.flatMap(({ Key: key, Value: value }) => (key ? [{ key, value: value ?? '' }] : []))
    },
    addTags: async (arn, tags) => {
      const own = tags.map(({ key, value }) => ({ Key: key, Value: value }))
      await client.send(new TagResourceCommand({ ResourceArn: arn, Tags: own }))
    },
  }
}

type PrepareCommand = Extract<TableCommand, { name: 'prepare' }>

/**
 * Turns on what a stack expects of a table that it adopts, and prints the settings for the adoption. A restored table has no
 * stream, expiry, recovery, protection and tags. Returns the exit code.
 */
export const runPrepare = async (command: PrepareCommand): Promise<number> => {
  const { table, isDryRun, createWithKey, replaced } = command
  const control = openTableControl(process.env['DYNAMODB_ENDPOINT'])
  if (createWithKey !== undefined) {
    process.stdout.write(`table: ${isDryRun ? 'would be created' : 'created'}\n`)
    if (isDryRun) return exitCodes.done
    await control.create(table, createWithKey)
  }
  assertStructure(table, await control.describe(table))
  for (const { name, isOn, turnOn } of await listFeatures(control, table, replaced)) {
    if (!isOn && !isDryRun) await turnOn()
    process.stdout.write(`${name}: ${describeState(isOn, isDryRun)}\n`)
  }
  if (!isDryRun) process.stdout.write(describeSettings(table, await control.describe(table)))
  return exitCodes.done
}

const describeState = (isOn: boolean, isDryRun: boolean): string => {
  if (isOn) return 'was on'
  return isDryRun ? 'would be turned on' : 'turned on'
}

interface Feature {
  readonly name: string
  readonly isOn: boolean
  readonly turnOn: () => Promise<void>
}

const listFeatures = async (
  control: TableControl,
  table: string,
  replaced: string | undefined,
): Promise<readonly Feature[]> => {
  const { StreamSpecification, DeletionProtectionEnabled, TableArn = '' } = await control.describe(table)
  const tags = replaced === undefined ? [] : await readTags(control, replaced)
  const present = tags.length > 0 ? await control.listTags(TableArn) : []
  const missing = tags.filter(({ key }) => !present.some((tag) => tag.key === key))
  return [
    {
      name: 'stream of keys',
      isOn: StreamSpecification?.StreamEnabled === true,
      turnOn: () => control.turnOnStream(table),
    },
    { name: 'expiry', isOn: await control.hasExpiry(table), turnOn: () => control.turnOnExpiry(table) },
    {
      name: 'point-in-time recovery',
      isOn: await control.hasRecovery(table),
      turnOn: () => control.turnOnRecovery(table),
    },
    {
      name: 'deletion protection',
      isOn: DeletionProtectionEnabled === true,
      turnOn: () => control.turnOnProtection(table),
    },
    ...(tags.length > 0
      ? [
          {
            name: 'tags of the replaced table',
            isOn: missing.length === 0,
            turnOn: () => control.addTags(TableArn, missing),
          },
        ]
      : []),
  ]
}

/** Tags that AWS set belong to the stack of the replaced table. */
const readTags = async (control: TableControl, name: string) => {
  const { TableArn = '' } = await control.describe(name)
  return (await control.listTags(TableArn)).filter(({ key }) => !key.startsWith('aws:'))
}

/** @throws CommandFailure if the table was not made for this service. */
const assertStructure = (
  name: string,
  { KeySchema, GlobalSecondaryIndexes, StreamSpecification }: TableDescription,
) => {
  const { partitionKey, sortKey } = tableDefinition
  const keys = KeySchema?.map(({ AttributeName }) => AttributeName).join(' ')
  if (keys !== `${partitionKey} ${sortKey}`)
    throw new CommandFailure(`${name} is not a table of Latchkey: its keys are ${keys}.`)
  const missing = indexNames.find(
    (wanted) => !GlobalSecondaryIndexes?.some(({ IndexName }) => IndexName === wanted),
  )
  if (missing)
    throw new CommandFailure(`${name} has no index ${missing}. Restore it with all of its indexes.`)
  const view = StreamSpecification?.StreamEnabled ? StreamSpecification.StreamViewType : undefined
  if (view !== undefined && view !== 'KEYS_ONLY')
    throw new CommandFailure(
      `${name} has a stream with ${view}, which would contain password hashes. Turn it off and run the command again.`,
    )
}

const describeSettings = (name: string, { LatestStreamArn, SSEDescription }: TableDescription): string => {
  const settings = {
    table: {
      name,
      streamArn: LatestStreamArn,
      ...(SSEDescription?.KMSMasterKeyArn ? { keyArn: SSEDescription.KMSMasterKeyArn } : {}),
    },
  }
  return `
Add this setting to config/<stage>.json. Leave keyArn out if it is the key
of the same stack:

${JSON.stringify(settings, null, 2)}
`
}
