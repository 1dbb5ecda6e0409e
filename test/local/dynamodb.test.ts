import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
} from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { indexNames } from '../../lib/kernel/table/table.ts'
import { buildTableInput, createTable, type RunningEngine, startEngine } from '../../local/dynamodb.ts'
import { availableEngines } from '../support/available-engines.ts'
import { descendantsOf, survivorsOf } from '../support/processes.ts'
import { waitFor } from '../support/wait-for.ts'

const table = 'latchkey'
const connect = (endpoint: string) =>
  DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, maxAttempts: 1 }))
const answers = (endpoint: string) =>
  fetch(endpoint).then(
    () => true,
    () => false,
  )

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'latchkey-engine-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }))

describe.each(availableEngines)('%s', (name) => {
  describe('in memory', () => {
    let engine: RunningEngine
    beforeAll(async () => {
      engine = await startEngine({ dataDir: ':memory:', engine: name })
      await createTable(engine.endpoint, table)
    })
    afterAll(() => engine.close())

    test('creates the table of the definition', async () => {
      const client = connect(engine.endpoint)
      const { Table: made } = await client.send(new DescribeTableCommand({ TableName: table }))
      expect(made?.TableStatus).toBe('ACTIVE')
      expect(made?.KeySchema?.map((key) => key.AttributeName)).toEqual(['pk', 'sk'])
      expect(made?.BillingModeSummary?.BillingMode).toBe('PAY_PER_REQUEST')
      const indexes = made?.GlobalSecondaryIndexes?.map(({ IndexName, Projection }) => [
        IndexName,
        Projection?.ProjectionType,
      ])
      expect(indexes?.sort()).toEqual(indexNames.map((name) => [name, 'KEYS_ONLY']).sort())
      const ttl = await client.send(new DescribeTimeToLiveCommand({ TableName: table }))
      expect(ttl.TimeToLiveDescription).toMatchObject({
        AttributeName: 'expires_at',
        TimeToLiveStatus: 'ENABLED',
      })
      client.destroy()
    })

    test('keeps an existing table as it is', async () => {
      const client = connect(engine.endpoint)
      await client.send(new PutCommand({ TableName: table, Item: { pk: 'a', sk: 'b' } }))
      await createTable(engine.endpoint, table)
      const { Item } = await client.send(new GetCommand({ TableName: table, Key: { pk: 'a', sk: 'b' } }))
      expect(Item).toEqual({ pk: 'a', sk: 'b' })
      client.destroy()
    })

    test('adds the indexes that an existing table lacks', async () => {
      const client = connect(engine.endpoint)
      const TableName = `${table}-before`
      const { GlobalSecondaryIndexes, AttributeDefinitions, ...input } = buildTableInput(TableName)
      const Item = { pk: 'a', sk: 'b', lpk: 'list', lsk: '1', byActor: 'ada' }
      await client.send(
        new CreateTableCommand({
          ...input,
          AttributeDefinitions: AttributeDefinitions?.filter(({ AttributeName = '' }) =>
            ['pk', 'sk', 'lpk', 'lsk'].includes(AttributeName),
          ),
          GlobalSecondaryIndexes: GlobalSecondaryIndexes?.filter(({ IndexName }) => IndexName === 'listing'),
        }),
      )
      await client.send(new PutCommand({ TableName, Item }))
      await createTable(engine.endpoint, TableName)
      const { Items } = await client.send(
        new QueryCommand({
          TableName,
          IndexName: 'events-by-actor',
          KeyConditionExpression: 'byActor = :actor',
          ExpressionAttributeValues: { ':actor': 'ada' },
        }),
      )
      expect(Items).toMatchObject([{ pk: 'a', sk: 'b' }])
      client.destroy()
    })
  })

  describe('in a folder', () => {
    test('keeps data over a restart with the same engine', async () => {
      const first = await startEngine({ dataDir, engine: name })
      await createTable(first.endpoint, table)
      const writer = connect(first.endpoint)
      await writer.send(new PutCommand({ TableName: table, Item: { pk: 'a', sk: 'b', value: 1 } }))
      writer.destroy()
      await first.close()
      expect(await answers(first.endpoint)).toBe(false)

      const second = await startEngine({ dataDir })
      expect(second.name).toBe(name)
      await createTable(second.endpoint, table)
      const reader = connect(second.endpoint)
      const { Item } = await reader.send(new GetCommand({ TableName: table, Key: { pk: 'a', sk: 'b' } }))
      expect(Item).toEqual({ pk: 'a', sk: 'b', value: 1 })
      reader.destroy()
      await second.close()
    })

    test('creates the folder with access only for the owner', async () => {
      const engine = await startEngine({ dataDir: join(dataDir, 'new', 'folder'), engine: name })
      expect(statSync(join(dataDir, 'new', 'folder')).mode & 0o777).toBe(0o700)
      await engine.close()
    })

    test('ends with its parent process, even if that is killed', async () => {
      const owner = spawn(process.execPath, ['test/support/fixtures/engine-owner.ts', dataDir, name])
      const [endpoint] = await once(owner.stdout.setEncoding('utf8'), 'data')
      const children = descendantsOf(owner.pid ?? 0).map((child) => child.pid)
      expect(children.length).toBeGreaterThan(0)
      expect(await answers(endpoint.trim())).toBe(true)

      owner.kill('SIGKILL')
      expect(await survivorsOf(children)).toEqual([])
      expect(await answers(endpoint.trim())).toBe(false)
      await (await startEngine({ dataDir, engine: name })).close()
    })
  })

  describe('its exit', () => {
    const engineProcesses = () =>
      descendantsOf(process.pid).filter(
        (child) => child.command.includes(dataDir) && !child.command.startsWith('sh '),
      )

    test('reports an unexpected exit', async () => {
      const onExit = vi.fn()
      const engine = await startEngine({ dataDir, engine: name, onExit })
      for (const child of engineProcesses()) process.kill(child.pid, 'SIGKILL')
      await waitFor(() => expect(onExit).toHaveBeenCalledOnce())
      expect(onExit).toHaveBeenCalledWith(
        expect.stringContaining(`The database engine ${name} exited unexpectedly`),
      )
      await engine.close()
    })

    test('closes without leaving a process or reporting an exit', async () => {
      const onExit = vi.fn()
      const engine = await startEngine({ dataDir, engine: name, onExit })
      const children = descendantsOf(process.pid).filter((child) => child.command.includes(dataDir))
      await engine.close()
      await engine.close()
      expect(await survivorsOf(children.map((child) => child.pid))).toEqual([])
      expect(onExit).not.toHaveBeenCalled()
    })
  })
})

describe('an external endpoint', () => {
  test('is used without starting an engine', async () => {
    const { DYNAMODB_ENDPOINT: endpoint = '' } = process.env
    const before = descendantsOf(process.pid).length
    const engine = await startEngine({ dataDir, endpoint })
    expect(engine).toMatchObject({ endpoint, name: 'external' })
    expect(descendantsOf(process.pid)).toHaveLength(before)
    await engine.close()
    expect(await answers(endpoint)).toBe(true)
  })

  test('must respond', async () => {
    await expect(startEngine({ dataDir, endpoint: 'http://127.0.0.1:1' })).rejects.toThrow(
      'No DynamoDB responds at http://127.0.0.1:1. Check DYNAMODB_ENDPOINT.',
    )
  })
})

test.runIf(availableEngines.includes('dynoxide'))(
  'an engine that does not start is an error of one sentence',
  async () => {
    writeFileSync(join(dataDir, 'latchkey.db'), 'no database '.repeat(1000))
    await expect(startEngine({ dataDir })).rejects.toThrow(
      /^The database engine dynoxide did not start: .+[^.]\.$/,
    )
  },
)

test('reports that DynamoDB Local needs Java', async () => {
  symlinkSync('/bin/sh', join(dataDir, 'sh'))
  const owner = spawn(
    process.execPath,
    ['test/support/fixtures/engine-owner.ts', ':memory:', 'dynamodb-local'],
    {
      env: { PATH: dataDir },
    },
  )
  expect(await text(owner.stderr)).toContain('Error: DynamoDB Local needs Java. Install Java 17 or newer')
})
