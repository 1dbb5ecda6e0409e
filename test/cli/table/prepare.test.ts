import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findAdoptionProblems } from '../../../infra/parts/adoption.ts'
import { createTable } from '../../../local/dynamodb.ts'
import { actionOf } from '../../infra/dynamodb-proxy.ts'
import { startStub } from '../../infra/stub-server.ts'
import type { JsonValue } from '../../support/client.ts'
import { runTable } from '../command.ts'

/* A stand-in for the part of DynamoDB that manages tables, with a table as a restore leaves it. */

const keyArn = 'arn:aws:kms:eu-west-1:111122223333:key/of-the-table'
const streamArn = 'arn:aws:dynamodb:eu-west-1:111122223333:table/Restored/stream/2026-01-01T00:00:00.000'
const restored = {
  TableStatus: 'ACTIVE',
  TableArn: 'arn:aws:dynamodb:eu-west-1:111122223333:table/Restored',
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  GlobalSecondaryIndexes: [{ IndexName: 'listing' }],
  SSEDescription: { KMSMasterKeyArn: keyArn },
}
let table: JsonValue
let expiry: JsonValue
let recovery: string
let tags: JsonValue[]
let changes: string[]
beforeEach(() => {
  table = { ...restored }
  expiry = { TimeToLiveStatus: 'DISABLED' }
  recovery = 'DISABLED'
  tags = []
  changes = []
})

const answers: Readonly<Record<string, (input: JsonValue) => JsonValue>> = {
  DescribeTable: ({ TableName }) =>
    TableName === 'Replaced' ? { Table: { ...restored, TableArn: 'replaced' } } : { Table: table },
  DescribeTimeToLive: () => ({ TimeToLiveDescription: expiry }),
  DescribeContinuousBackups: () => ({
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: recovery },
    },
  }),
  ListTagsOfResource: ({ ResourceArn }) => ({
    Tags:
      ResourceArn === 'replaced'
        ? [
            { Key: 'team', Value: 'accounts' },
            { Key: 'aws:cloudformation:stack-name', Value: 'Latchkey' },
          ]
        : tags,
  }),
  UpdateTable: ({ TableName: _, ...change }) => {
    table = { ...table, ...change, ...(change.StreamSpecification ? { LatestStreamArn: streamArn } : {}) }
    return { TableDescription: table }
  },
  UpdateTimeToLive: ({ TimeToLiveSpecification: { AttributeName } }) => {
    expiry = { TimeToLiveStatus: 'ENABLING', AttributeName }
    return {}
  },
  UpdateContinuousBackups: () => {
    recovery = 'ENABLED'
    return {}
  },
  TagResource: ({ Tags }) => {
    tags = Tags
    return {}
  },
}

let stub: Awaited<ReturnType<typeof startStub>>
beforeAll(async () => {
  stub = await startStub((request) => {
    const action = actionOf(request)
    if (/^(Update|Tag|Create)/.test(action)) changes.push(action)
    return { status: 200, body: JSON.stringify(answers[action]?.(JSON.parse(request.body))) }
  })
})
afterAll(() => stub.close())

const environment = {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'operator',
  AWS_SECRET_ACCESS_KEY: 'secret',
}
const prepare = (...args: readonly string[]) =>
  runTable(['prepare', '--table', 'Restored', ...args], { ...environment, DYNAMODB_ENDPOINT: stub.url })

describe('a restored table', () => {
  it('is shown as it is in a dry run, without a change', async () => {
    const { code, stdout } = await prepare('--dry-run', '--replaced', 'Replaced')
    expect(code).toBe(0)
    expect(stdout).toBe(
      [
        'stream of keys',
        'expiry',
        'point-in-time recovery',
        'deletion protection',
        'tags of the replaced table',
      ]
        .map((name) => `${name}: would be turned on\n`)
        .join(''),
    )
    expect(changes).toEqual([])
  })

  it('gets everything that it lacks, and settings for a valid adoption', async () => {
    const { code, stdout } = await prepare('--replaced', 'Replaced')
    expect(code).toBe(0)
    expect(table).toMatchObject({
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' },
      DeletionProtectionEnabled: true,
    })
    expect(expiry.AttributeName).toBe('expires_at')
    expect(tags).toEqual([{ Key: 'team', Value: 'accounts' }])
    const settings = JSON.parse(stdout.slice(stdout.indexOf('{')))
    expect(settings).toEqual({ tableName: 'Restored', tableStreamArn: streamArn, tableKeyArn: keyArn })
    const adopted = { name: settings.tableName, streamArn: settings.tableStreamArn, keyArn }
    expect(findAdoptionProblems({ table: adopted }, 'eu-west-1')).toEqual([])
    changes = []
    expect((await prepare('--replaced', 'Replaced')).stdout).toMatch(/^(?:[a-z -]+: was on\n){5}/)
    expect(changes).toEqual([])
  })

  it.each([
    [{ KeySchema: [{ AttributeName: 'id' }] }, 'is not a table of Latchkey: its keys are id.'],
    [{ GlobalSecondaryIndexes: [] }, 'has no index listing.'],
    [{ StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_IMAGE' } }, 'password hashes'],
  ])('is refused if a service could not use it safely: %j', async (change, sentence) => {
    table = { ...table, ...change }
    expect(await prepare()).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
    expect(changes).toEqual([])
  })
})

it('can be created for a service that moves, and not in place of another one', async () => {
  const endpoint = process.env['DYNAMODB_ENDPOINT'] ?? ''
  const name = `latchkey-${randomUUID()}`
  await createTable(endpoint, name)
  const env = { ...environment, AWS_REGION: 'local', DYNAMODB_ENDPOINT: endpoint }
  const { code, stderr } = await runTable(['prepare', '--table', name, '--create-with-key', keyArn], env)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('ResourceInUseException') })
  expect((await prepare('--create-with-key', keyArn, '--dry-run')).stdout).toBe('table: would be created\n')
  expect(changes).toEqual([])
})
