import { parentPort, workerData } from 'node:worker_threads'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { moduleExtension } from './module-url.ts'
import type { Job, JobOutcome, WorkerSettings } from './worker-thread.ts'

type Handler = (event: APIGatewayProxyEventV2, context: Context) => Promise<unknown>

const { functionsUrl, timeoutMs } = workerData as WorkerSettings
const handlers = new Map<string, Promise<Handler>>()

/** Imports the handler of a group on its first call, like a Lambda instance. */
const loadHandler = (group: string): Promise<Handler> => {
  const known = handlers.get(group)
  if (known) return known
  const url = new URL(`${group}/index${moduleExtension}`, functionsUrl).href
  const loading = import(url).then(({ handler }: { handler: Handler }) => handler)
  handlers.set(group, loading)
  return loading
}

const createContext = (group: string, requestId: string): Context => {
  const deadline = Date.now() + timeoutMs
  const functionName = `latchkey-${group}`
  const notSupported = () => {
    throw new Error('Callbacks are not supported. Return a promise.')
  }
  return {
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '512',
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
    done: notSupported,
    fail: notSupported,
    succeed: notSupported,
  }
}

const run = async ({ group, event }: Job): Promise<JobOutcome> => {
  const { requestId } = event.requestContext
  try {
    const handler = await loadHandler(group)
    return { result: await handler(event, createContext(group, requestId)) }
  } catch (error) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { failure: `Request ${requestId} to ${group} failed. ${cause}` }
  }
}

parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await run(job)))
parentPort?.postMessage('ready')
