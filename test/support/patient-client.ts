import { setTimeout as sleep } from 'node:timers/promises'
import { type GatewayAnswer, gatewayAnswers } from '../../local/gateway/respond.ts'
import type { Answer, Client } from './client.ts'

/**
 * How long the gateway of a test waits for a function. What a fast machine does within the limit of the real one takes a busy one longer,
 * and a request that ends late has then changed what the test does not expect.
 */
export const patientTimeoutMs = 600_000

/** The service's own answers of these statuses are problems, which have another type and no message. HEAD has no body. */
const isFrom = (answer: Answer, { status, message }: GatewayAnswer): boolean =>
  answer.status === status &&
  (answer.text === ''
    ? answer.headers.get('content-type') === 'application/json'
    : answer.body?.message === message)

/**
 * Whether the gateway answered because the stage throttled the request, or because the machine is busy. A function that took too long may
 * have done its work, so that only reading is repeated.
 */
const isWorthRepeating = (method: string, answer: Answer): boolean =>
  isFrom(answer, gatewayAnswers.throttled) ||
  isFrom(answer, gatewayAnswers.tooSlow) ||
  (isFrom(answer, gatewayAnswers.unavailable) && ['GET', 'HEAD'].includes(method))

/**
 * Sends a request again that no function saw, as clients of a deployed service do. Tests on a fast machine send more requests than the
 * stage allows, and those on a busy machine send them too slowly.
 */
export const makePatient =
  (client: Client): Client =>
  async (...given) => {
    for (;;) {
      const answer = await client(...given)
      if (!isWorthRepeating(given[0], answer)) return answer
      await sleep(200)
    }
  }
