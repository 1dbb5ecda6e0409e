import { randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'

/** Creates the context that Lambda passes to a handler. */
export const createLambdaContext = (): Context => ({
  awsRequestId: randomUUID(),
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'test',
  functionVersion: '$LATEST',
  getRemainingTimeInMillis: () => 15_000,
  invokedFunctionArn: 'arn:aws:lambda:local:000000000000:function:test',
  logGroupName: 'test',
  logStreamName: 'test',
  memoryLimitInMB: '512',
  done: () => {},
  fail: () => {},
  succeed: () => {},
})
