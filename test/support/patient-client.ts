import { setTimeout as sleep } from 'node:timers/promises'
import { gatewayAnswers } from '../../local/gateway/respond.ts'
import type { Client } from '../support/client.ts'

const { status, message } = gatewayAnswers.throttled

/**
 * Sends a request again that the stage throttled, as clients of a deployed service do. No function saw it. Tests on a fast
 * machine send more requests than the stage allows.
 */
export const makePatient =
  (client: Client): Client =>
  async (...given) => {
    for (;;) {
      const answer = await client(...given)
      // The service's own answers of this status are problems.
      if (answer.status !== status || answer.body?.message !== message) return answer
      await sleep(200)
    }
  }
