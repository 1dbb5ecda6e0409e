import { describe, expect, it } from 'vitest'
import { operations } from '../../lib/features/operations.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import type { Answer } from '../support/client.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { type ExampleRequest, startExamples } from '../support/example-requests.ts'
import { prepareGuesses } from '../support/guess-secrets.ts'

/*
 * An attacker guesses at each operation that looks up a secret. What each one needs is in its declaration: the limit and an example,
 * which is sent with the right secret and with wrong ones.
 */

const max = 4
const live = closeAfterTests(
  await startExamples({
    RATE_LIMITS: `lookUpFailures=${max}/600`,
    TRUSTED_PROXIES: '127.0.0.1, ::1',
  }),
)

const guessed = operations.filter(({ limits }) => limits?.includes('lookUpFailures'))

let networks = 0
/** Sends a request from a network that no other guess came from. */
const startNetwork = () => {
  networks += 1
  const address = `203.0.${networks}.7`
  return (request: ExampleRequest): Promise<Answer> =>
    live.send({ ...request, headers: { ...request.headers, 'x-forwarded-for': address } })
}

/** A second factor continues on the network where the password was entered. */
const isBoundToNetwork = ({ id }: Operation): boolean => id === 'start_passkey_login'

describe('wrong secrets are refused at the declared limit, and the right one is served', () => {
  it.each(guessed.map((op) => [op.id, op] as const))('%s', async (_, op) => {
    for (let index = 0, count = 1; index < count; index += 1) {
      const { right, guesses } = await prepareGuesses(live, op)
      count = guesses.length
      const [secret, wrong] = guesses[index] ?? ['', right]
      const send = isBoundToNetwork(op) ? live.send : startNetwork()
      const statuses: number[] = []
      while (statuses.length < max) statuses.push((await send(wrong)).status)
      expect([secret, statuses.filter((status) => status < 400 || status === 429)]).toEqual([secret, []])
      const limited = await send(wrong)
      expect([secret, limited.status]).toEqual([secret, 429])
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
      // The right secret may use up what the wrong ones are about.
      expect([secret, (await startNetwork()(wrong)).status]).toEqual([secret, statuses[0]])
      const served = await send(right)
      expect([secret, served.status < 400, served.text]).toEqual([secret, true, served.text])
    }
  })
})
