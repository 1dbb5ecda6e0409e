import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  DynamoDBServiceException,
  ListTablesCommand,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { tableDefinition } from '../../lib/store/engine/definition.ts'
import { localAws, withAws } from './aws-environment.ts'
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

const readyTimeoutMs = 30_000
const pollMs = 20
const maxPorts = 5

/** A client with the credentials of an environment; without keys in it, with what the SDK finds by itself. */
const clientFor = (endpoint: string, env: NodeJS.ProcessEnv, maxAttempts: number): DynamoDBClient => {
  const { AWS_REGION = '', AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env
  const keys = AWS_ACCESS_KEY_ID &&
    AWS_SECRET_ACCESS_KEY && { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
  const session = AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }
  return new DynamoDBClient({
    endpoint,
    region: AWS_REGION,
    maxAttempts,
    requestHandler: { connectionTimeout: 1000, requestTimeout: 5000 },
    ...(keys ? { credentials: { ...keys, ...session } } : {}),
  })
}

const checkItAnswers = async (endpoint: string): Promise<void> => {
  const client = clientFor(endpoint, withAws(process.env, false), 2)
  try {
    await client.send(new ListTablesCommand())
  } catch (error) {
    // A refusal is an answer too: the user's credentials may not be allowed to list tables.
    const hasAnswered = error instanceof DynamoDBServiceException && error.$metadata.httpStatusCode
    if (!hasAnswered) throw new Error(`No DynamoDB answers at ${endpoint}: check DYNAMODB_ENDPOINT.`)
  } finally {
    client.destroy()
  }
}

const untilItAnswers = async (endpoint: string, child: OwnedProcess): Promise<boolean> => {
  const client = clientFor(endpoint, localAws, 1)
  const deadline = performance.now() + readyTimeoutMs
  try {
    while (!child.hasExited() && performance.now() < deadline) {
      const answered = await client.send(new ListTablesCommand()).catch(() => undefined)
      // Asked again, since what answered may be a stranger that took our port just before.
      if (answered && !child.hasExited()) return true
      await sleep(pollMs)
    }
    return false
  } finally {
    client.destroy()
  }
}

/** The last thing it said, without the marks around it. */
const lastWordsOf = (child: OwnedProcess): string =>
  (child.output().trim().split('\n').at(-1) ?? '').replace(/^error:\s*/i, '').replace(/[\s.]+$/, '')

const failureOf = ({ name }: Engine, child: OwnedProcess): Error =>
  name === 'dynamodb-local' && /not found|UnsupportedClassVersionError|Java Runtime/i.test(child.output())
    ? new Error('DynamoDB Local needs Java: install Java 17 or newer, so that `java` is on the PATH.')
    : new Error(`The database engine ${name} did not start: ${lastWordsOf(child) || 'it said nothing'}.`)

/**
 * Starts the embedded DynamoDB on a free port of the loopback address, and returns once it answers. It ends with
 * this process, even when that is killed. Throws an `Error` of one sentence when there is no engine to start.
 */
export const startEngine = async (options: EngineOptions): Promise<RunningEngine> => {
  if (options.endpoint) {
    await checkItAnswers(options.endpoint)
    return { endpoint: options.endpoint, name: 'external', close: async () => {} }
  }

  const dataDir = options.dataDir === ':memory:' ? undefined : options.dataDir
  const engine = chooseEngine(dataDir, options.engine)
  // Nobody else's: it holds password hashes.
  if (dataDir) mkdirSync(dataDir, { recursive: true, mode: 0o700 })

  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    const endpoint = `http://127.0.0.1:${port}`
    const child = startOwned(engine.command(port, dataDir))
    if (await untilItAnswers(endpoint, child)) {
      return { endpoint, name: engine.name, close: closerOf(child, engine, options.onExit) }
    }
    await child.stop()
    const wasPortLost = /in use/i.test(child.output())
    if (!wasPortLost || attempt === maxPorts) throw failureOf(engine, child)
  }
}

const closerOf = (child: OwnedProcess, { name }: Engine, onExit: EngineOptions['onExit']) => {
  let closing = false
  const saidAtStart = child.output()
  child.exited.then(() => {
    const words = child.output() === saidAtStart ? '' : lastWordsOf(child)
    if (!closing) onExit?.(`The database engine ${name} ended by itself${words ? `: ${words}` : ''}.`)
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
  const client = clientFor(endpoint, withAws(process.env, false), 3)
  try {
    await client
      .send(
        new CreateTableCommand({
          TableName: tableName,
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: keySchema(partitionKey, sortKey),
          AttributeDefinitions: [partitionKey, sortKey, listing.partitionKey, listing.sortKey].map(
            (AttributeName) => ({ AttributeName, AttributeType: 'S' }),
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
