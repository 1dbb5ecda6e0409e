import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb'
import { nameLocalUser } from '../lib/kernel/table/account.ts'
import { ConnectionError, createPost } from '../lib/kernel/table/post.ts'
import { indexNames, keyNamesOf, tableDefinition } from '../lib/kernel/table/table.ts'
import { TableClient, TableError } from '../lib/kernel/table/table-client.ts'
import { localAws, withAws } from './aws-environment.ts'
import { type ChildProcess, startChildProcess } from './child-process.ts'
import { chooseEngine, type Engine, type EngineName } from './engines.ts'
import { findFreePort } from './ports.ts'

export interface EngineOptions {
  /** The data folder, created if missing; `:memory:` keeps nothing. */
  readonly dataDir: string
  /** The engine; by default the one that wrote the folder, else the best installed one. */
  readonly engine?: EngineName | undefined
  /** The endpoint of an external DynamoDB. If set, no engine is started. */
  readonly endpoint?: string | undefined
  /** Called with one sentence if the engine exits unexpectedly. */
  readonly onExit?: ((reason: string) => void) | undefined
}

export interface RunningEngine {
  readonly endpoint: string
  readonly name: EngineName | 'external'
  readonly close: () => Promise<void>
}

const readyTimeoutMs = 30_000
const pollMs = 10
const maxPorts = 5

/** Asks an engine for its tables, without the SDK, which would delay every start. Returns the status of the answer. */
const probe = async (endpoint: string): Promise<number> => {
  const body = '{}'
  const headers = await nameLocalUser(
    {
      'content-type': 'application/x-amz-json-1.0',
      'content-length': String(body.length),
      'x-amz-target': 'DynamoDB_20120810.ListTables',
    },
    body,
  )
  return (await createPost(new URL(endpoint), { connectMs: 1000, totalMs: 5000 })(headers, body)).status
}

const assertReachable = async (endpoint: string): Promise<void> => {
  try {
    // An error response also proves that it is reachable. The user may not be allowed to list tables.
    await probe(endpoint)
  } catch (error) {
    if (error instanceof ConnectionError)
      throw new Error(`No DynamoDB responds at ${endpoint}. Check DYNAMODB_ENDPOINT.`)
    throw error
  }
}

const waitUntilReady = async (endpoint: string, child: ChildProcess): Promise<boolean> => {
  const deadline = performance.now() + readyTimeoutMs
  while (!child.hasExited() && performance.now() < deadline) {
    const status = await probe(endpoint).catch(() => undefined)
    // A different process may have taken the port and responded, so the child must still run.
    if (status === 200 && !child.hasExited()) return true
    await sleep(pollMs)
  }
  return false
}

/** The last line of output, without prefix and punctuation. */
const lastOutputLine = (child: ChildProcess): string =>
  (child.output().trim().split('\n').at(-1) ?? '').replace(/^error:\s*/i, '').replace(/[\s.]+$/, '')

const startError = ({ name }: Engine, child: ChildProcess): Error =>
  name === 'dynamodb-local' && /not found|UnsupportedClassVersionError|Java Runtime/i.test(child.output())
    ? new Error('DynamoDB Local needs Java. Install Java 17 or newer and put `java` on the PATH.')
    : new Error(`The database engine ${name} did not start: ${lastOutputLine(child) || 'no output'}.`)

/**
 * Starts the embedded DynamoDB on a free loopback port and resolves when it is ready. It ends with this process, even
 * if this process is killed. Throws an `Error` of one sentence if no engine can be started.
 */
export const startEngine = async (options: EngineOptions): Promise<RunningEngine> => {
  if (options.endpoint) {
    await assertReachable(options.endpoint)
    return { endpoint: options.endpoint, name: 'external', close: async () => {} }
  }

  const dataDir = options.dataDir === ':memory:' ? undefined : options.dataDir
  const engine = chooseEngine(dataDir, options.engine)
  // Only the owner may read it, because it contains password hashes.
  if (dataDir) mkdirSync(dataDir, { recursive: true, mode: 0o700 })

  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort()
    const endpoint = `http://127.0.0.1:${port}`
    const child = startChildProcess(engine.command(port, dataDir))
    if (await waitUntilReady(endpoint, child)) {
      return { endpoint, name: engine.name, close: createClose(child, engine, options.onExit) }
    }
    await child.stop()
    const wasPortLost = /in use/i.test(child.output())
    if (!wasPortLost || attempt === maxPorts) throw startError(engine, child)
  }
}

const createClose = (child: ChildProcess, { name }: Engine, onExit: EngineOptions['onExit']) => {
  let closing = false
  const startOutput = child.output()
  child.exited.then(() => {
    const reason = child.output() === startOutput ? '' : lastOutputLine(child)
    if (!closing) onExit?.(`The database engine ${name} exited unexpectedly${reason ? `: ${reason}` : ''}.`)
  })
  return async () => {
    closing = true
    await child.stop()
  }
}

const { partitionKey, sortKey, ttlAttribute, indexProjection } = tableDefinition
const keySchema = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' as const },
  { AttributeName: range, KeyType: 'RANGE' as const },
]

/** What every table of a service has in common, in the form that DynamoDB expects. */
export const buildTableInput = (tableName: string): CreateTableCommandInput => ({
  TableName: tableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: keySchema(partitionKey, sortKey),
  AttributeDefinitions: [
    ...new Set(
      [undefined, ...indexNames].map(keyNamesOf).flatMap((keys) => [keys.partitionKey, keys.sortKey]),
    ),
  ].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
  GlobalSecondaryIndexes: indexNames.map((IndexName) => ({
    IndexName,
    KeySchema: keySchema(keyNamesOf(IndexName).partitionKey, keyNamesOf(IndexName).sortKey),
    Projection: { ProjectionType: indexProjection },
  })),
})

interface TableState {
  readonly Table?: {
    readonly TableStatus?: string
    readonly GlobalSecondaryIndexes?: readonly {
      readonly IndexName?: string
      readonly IndexStatus?: string
    }[]
  }
}

interface TimeToLiveState {
  readonly TimeToLiveDescription?: { readonly TimeToLiveStatus?: string }
}

/**
 * Creates the table from its definition and waits until it is active. An existing table keeps its items, and gets the indexes that
 * it lacks.
 */
export const createTable = async (endpoint: string, tableName: string): Promise<void> => {
  const isEmbeddedEngine =
    withAws(process.env, { isOwnEngine: false })['AWS_ACCESS_KEY_ID'] === localAws.AWS_ACCESS_KEY_ID
  const client = new TableClient({ endpoint, isEmbeddedEngine })
  const input = buildTableInput(tableName)
  await client.send('CreateTable', { ...input }).catch((error: unknown) => {
    if (!(error instanceof TableError && error.name === 'ResourceInUseException')) throw error
  })
  const named = { TableName: tableName }
  const waitUntilActive = async () => {
    for (;;) {
      const { Table: table } = await client.send<TableState>('DescribeTable', named)
      const indexes = table?.GlobalSecondaryIndexes ?? []
      if (table?.TableStatus === 'ACTIVE' && indexes.every(({ IndexStatus }) => IndexStatus === 'ACTIVE'))
        return indexes.map(({ IndexName }) => IndexName)
      await sleep(pollMs)
    }
  }
  const present = await waitUntilActive()
  const missing = input.GlobalSecondaryIndexes?.filter(({ IndexName }) => !present.includes(IndexName)) ?? []
  // DynamoDB adds one index at a time.
  for (const Create of missing) {
    const { AttributeDefinitions } = input
    await client.send('UpdateTable', {
      ...named,
      AttributeDefinitions,
      GlobalSecondaryIndexUpdates: [{ Create }],
    })
    await waitUntilActive()
  }
  const { TimeToLiveDescription } = await client.send<TimeToLiveState>('DescribeTimeToLive', named)
  if (TimeToLiveDescription?.TimeToLiveStatus !== 'DISABLED') return
  const TimeToLiveSpecification = { Enabled: true, AttributeName: ttlAttribute }
  await client.send('UpdateTimeToLive', { ...named, TimeToLiveSpecification })
}
