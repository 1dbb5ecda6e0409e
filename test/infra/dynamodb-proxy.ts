import type { JsonValue } from '../support/client.ts'
import { type StubAnswer, type StubRequest, startStub } from './stub-server.ts'

/** A DynamoDB call over HTTP. */
export interface TableCall {
  /** `GetItem`, `TransactWriteItems`, … */
  readonly action: string
  readonly input: JsonValue
  /** The access key that signed the call. */
  readonly accessKeyId: string
}

export type Refusal = string | StubAnswer | undefined

/** What a test does with the calls of a service. */
export interface TableHooks {
  /** Returns the reason to deny a call, or the answer to give instead. The call waits for the result. */
  readonly refuse?: (call: TableCall) => Refusal | Promise<Refusal>
  /** Whether the answer to a call is lost after the engine did the work. */
  readonly losesAnswer?: (call: TableCall) => boolean
  /** Replaces the answer of the engine. If it throws, the connection breaks after the engine did the work. */
  readonly alterAnswer?: (call: TableCall, answer: StubAnswer) => StubAnswer
}

export interface ProxyOptions extends TableHooks {
  /** The endpoint of the engine. */
  readonly endpoint: string
  /** Returns a refusal, or a function to call when the engine has answered. */
  readonly intercept?: (call: TableCall) => StubAnswer | (() => void)
  /** The clock of DynamoDB, in epoch milliseconds. Default: that of this process. */
  readonly readTime?: (() => number) | undefined
  /** Called when a call begins. The returned function is called with the output. */
  readonly onCall?: (call: TableCall) => (output: JsonValue) => void
}

/** The access key that signed a request to AWS. */
export const signerOf = ({ headers }: StubRequest): string =>
  /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1] ?? ''

/** The action of a request to a JSON service of AWS, without the service name. */
export const actionOf = ({ headers }: StubRequest): string =>
  String(headers['x-amz-target']).replace(/^.*\./, '')

/** The response of a JSON service of AWS to a denied call. */
export const accessDenied = (message: string) => ({
  status: 400,
  body: JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', message }),
})

const ownHeaders = ['host', 'connection', 'content-length']

/** Starts a DynamoDB endpoint that forwards calls to an engine, and can observe or deny them. */
export const startProxy = ({
  endpoint,
  refuse,
  intercept,
  losesAnswer,
  alterAnswer,
  onCall,
  readTime,
}: ProxyOptions) =>
  startStub(async (request) => {
    const { headers, body } = request
    const call = { action: actionOf(request), input: JSON.parse(body), accessKeyId: signerOf(request) }
    const refusal = await refuse?.(call)
    if (refusal !== undefined) return typeof refusal === 'string' ? accessDenied(refusal) : refusal
    const started = intercept?.(call)
    if (typeof started === 'object') return started
    const onOutput = onCall?.(call)
    try {
      const passedOn = Object.entries(headers).filter(([name]) => !ownHeaders.includes(name))
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: Object.fromEntries(passedOn) as Record<string, string>,
        body,
      })
      const output = await response.text()
      onOutput?.(JSON.parse(output))
      // The SDK repeats a call after this status, as after a connection that broke.
      if (losesAnswer?.(call)) return { status: 503 }
      const answer = { status: response.status, body: output }
      return alterAnswer ? alterAnswer(call, answer) : answer
    } finally {
      started?.()
    }
  }, readTime)
