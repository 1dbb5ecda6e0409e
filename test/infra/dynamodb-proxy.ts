import type { JsonValue } from '../support/client.ts'
import { type StubRequest, startStub } from './stub-server.ts'

/** One call as it goes over the wire. */
export interface TableCall {
  /** `GetItem`, `TransactWriteItems`, … */
  readonly action: string
  readonly input: JsonValue
  /** Whose credentials signed it. */
  readonly accessKeyId: string
}

export interface ProxyOptions {
  /** The engine behind. */
  readonly endpoint: string
  /** Why a call is refused, when it is; the call waits for that. */
  readonly refuse?: (call: TableCall) => string | undefined | Promise<string | undefined>
  /** Told of a call when it begins; what it returns is told of its output. */
  readonly onCall?: (call: TableCall) => (output: JsonValue) => void
}

/** Whose credentials signed a request to AWS. */
export const signerOf = ({ headers }: StubRequest): string =>
  /Credential=([^/]+)\//.exec(headers.authorization ?? '')?.[1] ?? ''

/** The action that a request to a JSON service of AWS asks for, without the service. */
export const actionOf = ({ headers }: StubRequest): string =>
  String(headers['x-amz-target']).replace(/^.*\./, '')

/** What such a service answers to who lacks a permission. */
export const accessDenied = (message: string) => ({
  status: 400,
  body: JSON.stringify({ __type: 'com.amazon.coral.service#AccessDeniedException', message }),
})

const ownHeaders = ['host', 'connection', 'content-length']

/** A DynamoDB endpoint that hands calls on to an engine, and may look at them or refuse them. */
export const startProxy = ({ endpoint, refuse, onCall }: ProxyOptions) =>
  startStub(async (request) => {
    const { headers, body } = request
    const call = { action: actionOf(request), input: JSON.parse(body), accessKeyId: signerOf(request) }
    const refusal = await refuse?.(call)
    if (refusal !== undefined) return accessDenied(refusal)
    const onOutput = onCall?.(call)
    const passedOn = Object.entries(headers).filter(([name]) => !ownHeaders.includes(name))
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: Object.fromEntries(passedOn) as Record<string, string>,
      body,
    })
    const output = await response.text()
    onOutput?.(JSON.parse(output))
    return { status: response.status, body: output }
  })
