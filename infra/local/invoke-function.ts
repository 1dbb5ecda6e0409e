import { setTimeout as sleep } from 'node:timers/promises'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { createGatewayResult, gatewayAnswers } from './gateway-answers.ts'
import { maxEventBytes, maxResultBytes } from './quotas.ts'

type Result = APIGatewayProxyStructuredResultV2

/** Calls the target function of a route. Rejects if the function fails. */
export type Invoke = (target: string, event: APIGatewayProxyEventV2) => Promise<Result | null | undefined>

const countJsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/**
 * Calls a function within the limits of Lambda and API Gateway. An event that is too large is a 413, a failed function
 * or a result that is too large a 500, and a function that takes too long a 503.
 */
export const invokeFunction = async (
  invoke: () => ReturnType<Invoke>,
  event: APIGatewayProxyEventV2,
  timeoutMs: number,
): Promise<Result | null | undefined> => {
  if (countJsonBytes(event) > maxEventBytes) return createGatewayResult(gatewayAnswers.bodyTooLarge)
  const settled = new AbortController()
  try {
    return await Promise.race([
      invoke().then((result) => {
        if (countJsonBytes(result) > maxResultBytes) throw new Error('The result is too large.')
        return result
      }),
      sleep(timeoutMs, createGatewayResult(gatewayAnswers.unavailable), { signal: settled.signal }),
    ])
  } catch {
    return createGatewayResult(gatewayAnswers.failed)
  } finally {
    settled.abort()
  }
}
