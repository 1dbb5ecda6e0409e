import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { moduleExtension } from './child-process.ts'
import { integrationTimeoutMs } from './gateway/request-head.ts'
import type { Invoke } from './gateway/routes.ts'

type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2 | null | undefined>

interface FunctionRunnerOptions {
  /** The folder that contains a folder for each group. */
  readonly functionsUrl?: URL
  /** The time that handlers see as theirs. The gateway answers after it. */
  readonly timeoutMs?: number
  /** Called with the reason of a failed request. Only the terminal shows it, not the response. */
  readonly onFailure?: (reason: string) => void
}

const notSupported = (): never => {
  throw new Error('Callbacks are not supported. Return a promise.')
}

const createContext = (group: string, awsRequestId: string, timeoutMs: number): Context => {
  const deadline = Date.now() + timeoutMs
  const functionName = `latchkey-${group}`
  return {
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '512',
    awsRequestId,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done: notSupported,
    fail: notSupported,
    succeed: notSupported,
  }
}

/**
 * Creates the function that runs the handler of a group in this thread. A handler is imported on its first request, so
 * that the start loads none. It rejects if the handler fails.
 */
export const createFunctionRunner = ({
  functionsUrl = new URL('../functions/', import.meta.url),
  timeoutMs = integrationTimeoutMs,
  onFailure,
}: FunctionRunnerOptions): Invoke => {
  const handlers = new Map<string, Promise<Handler>>()

  const loadHandler = (group: string): Promise<Handler> => {
    const known = handlers.get(group)
    if (known) return known
    const url = new URL(`${group}/index${moduleExtension}`, functionsUrl).href
    const loading = import(url).then(({ handler }: { handler: Handler }) => handler)
    handlers.set(group, loading)
    return loading
  }

  return async (group, event) => {
    const { requestId } = event.requestContext
    try {
      const handler = await loadHandler(group)
      return await handler(event, createContext(group, requestId, timeoutMs))
    } catch (error) {
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
      onFailure?.(`Request ${requestId} to ${group} failed. ${cause}`)
      throw error
    }
  }
}
