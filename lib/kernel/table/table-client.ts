import { version } from '../util/version.prebuilt.ts'
import { retry } from '../util/work.ts'
import { createSignCall, findAccount, nameLocalUser, type SignCall } from './account.ts'
import { type CallBody, readCallBody, writeCallBody } from './call-body.ts'
import { noteEngineOutcome } from './engine-failure.ts'
import { ConnectionError, createPost, type Post, type PostResponse } from './post.ts'

export interface ClientOptions {
  readonly endpoint?: string | undefined
  /** Whether the endpoint is the embedded engine, which checks no signatures. */
  readonly isEmbeddedEngine?: boolean | undefined
  /** How long a call may take before it is repeated. Three seconds if it is missing. */
  readonly timeoutMs?: number | undefined
}

/** The calls that the service makes, and those with which local mode creates its table, by their names in the DynamoDB API. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'TransactWriteItems'
  | 'CreateTable'
  | 'DescribeTable'
  | 'DescribeTimeToLive'
  | 'UpdateTable'
  | 'UpdateTimeToLive'

/** An error response of DynamoDB. Its name is that of the DynamoDB API: `ConditionalCheckFailedException`. */
export class TableError extends Error {
  readonly status: number
  /** How often the call was sent. An earlier attempt may have been committed. */
  readonly attempts: number
  /** Whether an earlier attempt of a write had no clear answer, so that this refusal does not say what was stored. */
  readonly mayBeCommitted: boolean
  /** For a canceled transaction: one reason for each step. */
  readonly CancellationReasons: readonly { readonly Code?: string }[]

  constructor(status: number, { number, mayBeCommitted }: Attempt, body: ErrorBody) {
    super(body.message ?? body.Message ?? `DynamoDB responded with status ${status}`)
    this.name = body.__type?.replace(/^.*#/, '') ?? 'UnknownError'
    this.status = status
    this.attempts = number
    this.mayBeCommitted = mayBeCommitted
    this.CancellationReasons = body.CancellationReasons ?? []
  }
}

export interface CallOptions {
  /** Whether a call is not repeated when another write, the load or the network got in the way of it. */
  readonly isTriedOnce?: boolean
}

interface Attempt {
  /** Starts at 1. */
  readonly number: number
  readonly mayBeCommitted: boolean
}

interface ErrorBody {
  readonly __type?: string
  readonly message?: string
  readonly Message?: string
  readonly CancellationReasons?: readonly { readonly Code?: string }[]
}

interface Connection {
  readonly post: Post
  readonly sign: SignCall
}

/** Who calls, as CloudTrail shows it, in the form of the SDK: names, versions and the application that operators set. */
const userAgent = [
  `latchkey/${version}`,
  `md/nodejs#${process.versions.node}`,
  ...(process.env['AWS_EXECUTION_ENV'] ? [`exec-env/${process.env['AWS_EXECUTION_ENV']}`] : []),
  ...(process.env['AWS_SDK_UA_APP_ID'] ? [`app/${process.env['AWS_SDK_UA_APP_ID']}`] : []),
].join(' ')

const defaultTimeoutMs = 3000
const attempts = { attempts: 4, baseMs: 50, capMs: 1000 } as const

/**
 * Makes calls to DynamoDB with as little CPU time as possible. Records go in and come out as the service uses them. It
 * repeats calls that failed because of the connection, of DynamoDB itself, or of the load.
 */
export class TableClient {
  readonly #options: ClientOptions
  #connection: Promise<Connection> | undefined
  #latestDate: string | undefined

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** The time in the latest answer of DynamoDB, in epoch milliseconds. */
  get serverTimeMs(): number | undefined {
    if (this.#options.isEmbeddedEngine || this.#latestDate === undefined) return undefined
    const ms = Date.parse(this.#latestDate)
    return Number.isNaN(ms) ? undefined : ms
  }

  /** @throws TableError, or ConnectionError if no attempt received a response */
  async send<Output extends object>(
    action: TableAction,
    input: CallBody,
    { isTriedOnce = false }: CallOptions = {},
  ): Promise<Output> {
    const body = writeCallBody(input)
    const headers = {
      'user-agent': userAgent,
      'content-type': 'application/x-amz-json-1.0',
      'content-length': String(Buffer.byteLength(body)),
      'x-amz-target': `DynamoDB_20120810.${action}`,
    }
    const { post, sign } = await this.#connect()
    // Each attempt has a new signature, because signatures expire.
    let mayBeCommitted = false
    const call = async (number: number) => {
      try {
        const response = await post(await sign(headers, body), body)
        this.#latestDate = response.date
        return readResponse(response, { number, mayBeCommitted }) as Output
      } catch (error) {
        mayBeCommitted ||= writes.includes(action) && isUnclear(error)
        throw error
      }
    }
    const result = retry(call, { ...attempts, isRetryable: (error) => !isTriedOnce && isRetryable(error) })
    return this.#options.isEmbeddedEngine ? noteOutcome(action, result) : result
  }

  #connect(): Promise<Connection> {
    this.#connection ??= connect(this.#options).catch((error: unknown) => {
      // The next call searches for credentials again.
      this.#connection = undefined
      throw error
    })
    return this.#connection
  }
}

const writes: readonly TableAction[] = ['PutItem', 'UpdateItem', 'TransactWriteItems']

const noteOutcome = async <Output>(action: TableAction, result: Promise<Output>): Promise<Output> => {
  try {
    const output = await result
    if (writes.includes(action)) noteEngineOutcome('written')
    return output
  } catch (error) {
    // Other messages can contain text of a request.
    if (error instanceof TableError && error.status >= 500) noteEngineOutcome({ error: error.message })
    throw error
  }
}

const connect = async ({
  endpoint,
  isEmbeddedEngine,
  timeoutMs = defaultTimeoutMs,
}: ClientOptions): Promise<Connection> => {
  const timeouts = { connectMs: timeoutMs / 3, totalMs: timeoutMs }
  if (isEmbeddedEngine && endpoint)
    return { post: createPost(new URL(endpoint), timeouts), sign: nameLocalUser }
  const account = await findAccount(endpoint)
  return { post: createPost(account.url, timeouts), sign: createSignCall(account) }
}

/** @throws TableError if the call failed, ConnectionError if the response is damaged */
const readResponse = ({ status, text }: PostResponse, attempt: Attempt): CallBody => {
  if (status === 200) return parse(text)
  let body: ErrorBody = {}
  // A proxy may respond with a page.
  if (text.startsWith('{')) body = parse(text)
  throw new TableError(status, attempt, body)
}

const parse = (text: string): CallBody => {
  try {
    return readCallBody(text)
  } catch (error) {
    throw new ConnectionError('the response is damaged', error)
  }
}

/** Too much load, or a clock that was changed between signing and sending. */
const retryableNames: ReadonlySet<string> = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestExpired',
])

const isRetryable = (error: unknown): boolean =>
  isUnclear(error) ||
  (error instanceof TableError &&
    (error.status === 429 || retryableNames.has(error.name) || isExpired(error)))

const isUnclear = (error: unknown): boolean =>
  error instanceof ConnectionError || (error instanceof TableError && error.status >= 500)

const isExpired = ({ name, message }: TableError): boolean =>
  name === 'InvalidSignatureException' && message.startsWith('Signature expired')
