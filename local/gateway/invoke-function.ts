import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import { createGatewayResult, gatewayAnswers } from './gateway-answers.ts'
import { maxEventBytes, maxResultBytes } from './quotas.ts'

type Result = APIGatewayProxyStructuredResultV2

/** Calls the target function of a route. Rejects if the function fails. */
export type Invoke = (target: string, event: APIGatewayProxyEventV2) => Promise<Result | null | undefined>

const countJsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/** The most bytes of a character in JSON: an escape such as `\u0000`. Base64 has none. */
const maxCharacterBytes = (value: { readonly isBase64Encoded?: boolean | undefined } | null | undefined) =>
  value?.isBase64Encoded ? 1 : 6
/** More than all parts of an event besides its body. The quota for the headers is 10 KB, and they appear up to three times. */
const otherEventBytes = 256 * 1024

/** Whether the event is too large. Most are far below the limit, so that their length alone proves it. */
const isEventTooLarge = (event: APIGatewayProxyEventV2): boolean =>
  (event.body?.length ?? 0) * maxCharacterBytes(event) + otherEventBytes > maxEventBytes &&
  countJsonBytes(event) > maxEventBytes

const isResultTooLarge = (result: Result | null | undefined): boolean => {
  const { length } = typeof result?.body === 'string' ? result.body : ''
  const others = countJsonBytes(length > 0 ? { ...result, body: '' } : result)
  return (
    others + length * maxCharacterBytes(result) > maxResultBytes && countJsonBytes(result) > maxResultBytes
  )
}

/**
 * Calls a function within the limits of Lambda and API Gateway. An event that is too large is a 413, a failed function
 * or a result that is too large a 500, and a function that takes too long a 503.
 */
export const invokeFunction = async (
  invoke: () => ReturnType<Invoke>,
  event: APIGatewayProxyEventV2,
  timeoutMs: number,
): Promise<Result | null | undefined> => {
  if (isEventTooLarge(event)) return createGatewayResult(gatewayAnswers.bodyTooLarge)
  let timer: NodeJS.Timeout | undefined
  const timedOut = new Promise<Result>((resolve) => {
    timer = setTimeout(() => resolve(createGatewayResult(gatewayAnswers.unavailable)), timeoutMs)
  })
  try {
    const result = await Promise.race([invoke(), timedOut])
    return isResultTooLarge(result) ? createGatewayResult(gatewayAnswers.failed) : result
  } catch {
    return createGatewayResult(gatewayAnswers.failed)
  } finally {
    clearTimeout(timer)
  }
}
