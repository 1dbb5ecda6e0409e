import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTablesCommand,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { tableDefinition } from '../../lib/store/definition.ts'
import { chooseEngine, type Engine, type EngineName } from './engines.ts'
import { type OwnedProcess, startOwned } from './owned-process.ts'
import { freePort } from './ports.ts'

export interface EngineOptions {
  /** The folder of the data, made when missing; `:memory:` keeps nothing. */
  readonly dataDir: string
  /** Which engine; when left out the one that wrote the folder, else the best that is installed. */
  readonly engine?: EngineName | undefined
  /** A DynamoDB that is served already: then nothing is started. */
  readonly endpoint?: string | undefined
  /** Told, in one sentence, when the engine ends though nobody closed it. */
  readonly onExit?: ((reason: string) => void) | undefined
}

export interface RunningEngine {
  readonly endpoint: string
  readonly name: EngineName | 'external'
  readonly close: () => Promise<void>
}

/** What a local engine accepts as region and credentials: anything. */
export const localAws = {
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
} as const

const readyTimeoutMs = 30_000
const pollMs = 20
const maxPorts = 5

/** A client with what the environment says of region and credentials, or with what a local engine accepts. */
const clientFor = (endpoint: string, maxAttempts: number) => {
  const { AWS_REGION, AWS_ACCESS_KEY_ID, AWS_PROFILE } = process.env
  const own = { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
  return new DynamoDBClient({
    endpoint,
    maxAttempts,
    region: AWS_REGION ?? localAws.AWS_REGION,
    ...(AWS_ACCESS_KEY_ID || AWS_PROFILE ? {} : own),
  })
}

const untilItAnswers = async (endpoint: string, child: OwnedProcess): Promise<boolean> => {
  const client = clientFor(endpoint, 1)
  const deadline = performance.now() + readyTimeoutMs
  try {
    while (!child.hasExited() && performance.now() < deadline) {
      const answered = await client.send(new ListTablesCommand()).then(
        () => true,
        () => false,
      )
      // Asked again, since what answered may be a stranger that took our port just before.
      if (answered && !child.hasExited()) return true
      await sleep(pollMs)
    }
    return false
  } finally {
    client.destroy()
  }
}

const lastLineOf = (output: string): string => output.trim().split('\n').at(-1)?.trim() ?? ''

const failureOf = (engine: Engine, output: string): Error =>
  engine.name === 'dynamodb-local' && /not found|UnsupportedClassVersionError|Java Runtime/i.test(output)
    ? new Error('DynamoDB Local needs Java: install Java 17 or newer, so that `java` is on the PATH.')
    : new Error(
        `The database engine ${engine.name} did not start: ${lastLineOf(output) || 'it said nothing'}.`,
      )

/**
 * Starts the embedded DynamoDB on a free port of the loopback address, and returns once it answers. It ends with
 * this process, even when that is killed. Throws an `Error` of one sentence when there is no engine to start.
 */
export const startEngine = async (options: EngineOptions): Promise<RunningEngine> => {
  if (options.endpoint) return { endpoint: options.endpoint, name: 'external', close: async () => {} }

  const dataDir = options.dataDir === ':memory:' ? undefined : options.dataDir
  const engine = chooseEngine(dataDir, options.engine)
  // Nobody else's: it holds password hashes.
  if (dataDir) mkdirSync(dataDir, { recursive: true, mode: 0o700 })

  let output = ''
  for (let attempt = 0; attempt < maxPorts; attempt++) {
    const port = await freePort()
    const endpoint = `http://127.0.0.1:${port}`
    const child = startOwned(engine.command(port, dataDir))
    if (await untilItAnswers(endpoint, child)) {
      return { endpoint, name: engine.name, close: closerOf(child, engine, options.onExit) }
    }
    await child.stop()
    output = child.output()
    if (!/in use/i.test(output)) break
  }
  throw failureOf(engine, output)
}

const closerOf = (child: OwnedProcess, engine: Engine, onExit: EngineOptions['onExit']) => {
  let closing = false
  child.exited.then(() => {
    if (!closing)
      onExit?.(`The database engine ${engine.name} ended by itself. ${lastLineOf(child.output())}`.trim())
  })
  return async () => {
    closing = true
    await child.stop()
  }
}

const { partitionKey, sortKey, ttlAttribute, listing } = tableDefinition
const keySchema = (hash: string, range: string) => [
  { AttributeName: hash, KeyType: 'HASH' as const },
  { AttributeName: range, KeyType: 'RANGE' as const },
]

/** Makes the table of the definition and waits until it can be used. One that is there already stays as it is. */
export const createTable = async (endpoint: string, tableName: string): Promise<void> => {
  const client = clientFor(endpoint, 3)
  try {
    await client
      .send(
        new CreateTableCommand({
          TableName: tableName,
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: keySchema(partitionKey, sortKey),
          AttributeDefinitions: [partitionKey, sortKey, listing.partitionKey, listing.sortKey].map(
            (name) => ({
              AttributeName: name,
              AttributeType: 'S',
            }),
          ),
          GlobalSecondaryIndexes: [
            {
              IndexName: listing.indexName,
              KeySchema: keySchema(listing.partitionKey, listing.sortKey),
              Projection: { ProjectionType: listing.projection },
            },
          ],
        }),
      )
      .catch((error: unknown) => {
        if (!(error instanceof ResourceInUseException)) throw error
      })
    while (
      (await client.send(new DescribeTableCommand({ TableName: tableName }))).Table?.TableStatus !== 'ACTIVE'
    ) {
      await sleep(pollMs)
    }
    const ttl = await client.send(new DescribeTimeToLiveCommand({ TableName: tableName }))
    if (ttl.TimeToLiveDescription?.TimeToLiveStatus !== 'DISABLED') return
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: tableName,
        TimeToLiveSpecification: { Enabled: true, AttributeName: ttlAttribute },
      }),
    )
  } finally {
    client.destroy()
  }
}
