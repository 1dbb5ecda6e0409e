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
import { tableDefinition } from '../../lib/store/engine/definition.ts'
import { retry } from '../../lib/util/retry.ts'
import { buildTableInput } from '../../local/dynamodb.ts'

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
