import { indexNames } from '../../lib/kernel/table/table.ts'
import { actionOf } from '../infra/dynamodb-proxy.ts'
import { startStub } from '../infra/stub-server.ts'
import type { JsonValue } from './client.ts'

/* A stand-in for the part of DynamoDB that manages tables, with the table `Restored` as a restore leaves it. */

export const tableKeyArn = 'arn:aws:kms:eu-west-1:111122223333:key/of-the-table'
export const restoredStreamArn =
  'arn:aws:dynamodb:eu-west-1:111122223333:table/Restored/stream/2026-01-01T00:00:00.000'

const restored = {
  TableStatus: 'ACTIVE',
  TableArn: 'arn:aws:dynamodb:eu-west-1:111122223333:table/Restored',
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: indexNames.map((IndexName) => ({ IndexName })),
  SSEDescription: { KMSMasterKeyArn: tableKeyArn },
}

interface ControlState {
  table: JsonValue
  expiry: JsonValue
  recovery: string
  tags: JsonValue[]
  /** The calls that changed something. */
  changes: string[]
}

export interface TableControlStub {
  readonly url: string
  readonly state: ControlState
  /** Leaves the table as it was after the restore. */
  readonly reset: () => void
  readonly close: () => Promise<void>
}

const buildState = (): ControlState => ({
  table: { ...restored },
  expiry: { TimeToLiveStatus: 'DISABLED' },
  recovery: 'DISABLED',
  tags: [],
  changes: [],
})

/** Starts the stand-in. Every table but `Restored` has the tags of a deployed one. */
export const startTableControl = async (): Promise<TableControlStub> => {
  const state = buildState()
  const answers: Readonly<Record<string, (input: JsonValue) => JsonValue>> = {
    CreateTable: ({ TableName: _, ...definition }) => {
      Object.assign(state.table, definition)
      return { TableDescription: state.table }
    },
    DescribeTable: ({ TableName }) => ({
      Table: TableName === 'Restored' ? state.table : { ...state.table, TableArn: 'replaced' },
    }),
    DescribeTimeToLive: () => ({ TimeToLiveDescription: state.expiry }),
    DescribeContinuousBackups: () => ({
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: state.recovery },
      },
    }),
    ListTagsOfResource: ({ ResourceArn }) => ({
      Tags:
        ResourceArn === 'replaced'
          ? [
              { Key: 'team', Value: 'accounts' },
              { Key: 'aws:cloudformation:stack-name', Value: 'Latchkey' },
            ]
          : state.tags,
    }),
    UpdateTable: ({ TableName: _, ...change }) => {
      const stream = change.StreamSpecification ? { LatestStreamArn: restoredStreamArn } : {}
      Object.assign(state.table, change, stream)
      return { TableDescription: state.table }
    },
    UpdateTimeToLive: ({ TimeToLiveSpecification: { AttributeName } }) => {
      state.expiry = { TimeToLiveStatus: 'ENABLING', AttributeName }
      return {}
    },
    UpdateContinuousBackups: () => {
      state.recovery = 'ENABLED'
      return {}
    },
    TagResource: ({ Tags }) => {
      state.tags = Tags
      return {}
    },
  }
  const { url, close } = await startStub((request) => {
    const action = actionOf(request)
    if (/^(Update|Tag|Create)/.test(action)) state.changes.push(action)
    return { status: 200, body: JSON.stringify(answers[action]?.(JSON.parse(request.body))) }
  })
  return { url, state, reset: () => void Object.assign(state, buildState()), close }
}
