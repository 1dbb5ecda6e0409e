import { randomUUID } from 'node:crypto'
import { Session } from 'node:inspector/promises'
import { pathToFileURL } from 'node:url'
import type { Context } from 'aws-lambda'
import type { GroupHandler } from '../../lib/http/handler.ts'
import { serveBare } from './bare-server.ts'
import { summarizeProfile } from './summarize-profile.ts'

/*
 * Serves handlers of Latchkey in one process. `HANDLERS` is the folder of their bundles or sources, and `ENTRY`
 * the name of the file in each. The messages `start` and `stop` control a CPU profile; the reply to the second is its summary.
 */

const { HANDLERS, ENTRY } = process.env
const handlers = new Map<string, Promise<{ readonly handler: GroupHandler }>>()

const load = (group: string): Promise<{ readonly handler: GroupHandler }> => {
  const known = handlers.get(group)
  if (known) return known
  const loading = import(pathToFileURL(`${HANDLERS}/${group}/${ENTRY}`).href)
  handlers.set(group, loading)
  return loading
}

const createContext = (): Context => ({
  awsRequestId: randomUUID(),
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'benchmark',
  functionVersion: '$LATEST',
  getRemainingTimeInMillis: () => 15_000,
  invokedFunctionArn: 'arn:aws:lambda:local:000000000000:function:benchmark',
  logGroupName: 'benchmark',
  logStreamName: 'benchmark',
  memoryLimitInMB: '512',
  done: () => {},
  fail: () => {},
  succeed: () => {},
})

serveBare(async (target, event) => {
  const { handler } = await load(target)
  return handler(event, createContext())
})

const inspector = new Session()
process.on('message', async (message) => {
  if (message === 'start') {
    inspector.connect()
    await inspector.post('Profiler.enable')
    await inspector.post('Profiler.start')
    process.send?.('started')
  }
  if (message === 'stop') {
    const { profile } = await inspector.post('Profiler.stop')
    inspector.disconnect()
    process.send?.(summarizeProfile(profile))
  }
})
