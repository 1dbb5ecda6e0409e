import { randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'

/** Creates the context that Lambda passes to a handler. */
export const createLambdaContext = (
  invokedFunctionArn = 'arn:aws:lambda:local:000000000000:function:test',
): Context => ({
  awsRequestId: randomUUID(),
  callbackWaitsForEmptyEventLoop: true,
  functionName: 'test',
  functionVersion: '$LATEST',
  getRemainingTimeInMillis: () => 60_000,
  invokedFunctionArn,
  logGroupName: 'test',
  logStreamName: 'test',
  memoryLimitInMB: '512',
  done: () => {},
  fail: () => {},
  succeed: () => {},
})
