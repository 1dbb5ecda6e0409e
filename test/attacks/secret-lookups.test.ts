import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from '../../lib/contract/operation.ts'
import { operations } from '../../lib/contract/operations.ts'
import { mintCredential, parseCredential } from '../../lib/secrets/credentials.ts'
import type { Answer } from '../support/client.ts'
import {
  type ExampleRequest,
  type Examples,
  listExamples,
  startExamples,
} from '../support/example-requests.ts'
import { flipBit } from '../support/flip-bit.ts'

/*
 * An attacker guesses at each operation that looks up a secret. What each one needs is in its declaration: the limit and an example,
 * which is sent with the right secret and with wrong ones.
 */

const max = 4

let live: Examples
beforeAll(async () => {
  live = await startExamples({
    RATE_LIMITS: `lookUpFailures=${max}/600`,
    TRUSTED_PROXIES: '127.0.0.1, ::1',
  })
})
afterAll(() => live.close())

const guessed = operations.filter(({ limits }) => limits?.includes('lookUpFailures'))

/** Another credential of the same kind and subject, or another value of the same form. */
const guess = (secret: string): string => {
  const credential = parseCredential(secret)
  return credential ? mintCredential(credential.kind, credential.subject).value : flipBit(secret)
}

/** Secrets that cannot be recognized as such by their form. */
const otherSecrets: Readonly<Record<string, string>> = {
  login_with_email_code: 'request_id',
  login_with_passkey: 'credential',
  reauthenticate_with_passkey: 'credential',
}

/** A passkey signs its own challenge. A wrong answer must not use up the challenge of the right one. */
const guessPasskey = () =>
  live.world.passkey.get(
    { challenge: randomBytes(32).toString('base64url'), rpId: 'localhost' },
    { origin: live.service.url },
  )

type Guess = readonly [secret: string, request: ExampleRequest]

/** A request for each secret of an example, with a wrong value in place of that secret alone. */
const listGuesses = ({ id }: Operation, right: ExampleRequest): readonly Guess[] => {
  const inPath = /lk[a-z]_\w+/.exec(right.path)?.[0]
  const names = Object.entries(right.body ?? {})
    .filter(([name, value]) => parseCredential(String(value)) || name === 'code' || name === otherSecrets[id])
    .map(([name]) => name)
    .filter((name) => name !== 'code' || id === 'issue_tokens')
  return [
    ...(inPath === undefined
      ? []
      : [['the path', { ...right, path: right.path.replace(inPath, guess(inPath)) }] as const]),
    ...names.map((name): Guess => {
      const wrong = name === 'credential' ? guessPasskey() : guess(right.body[name])
      return [name, { ...right, body: { ...right.body, [name]: wrong } }]
    }),
  ]
}

/** The first example with a secret. */
const prepareGuesses = async (op: Operation) => {
  for (const { value } of listExamples(op)) {
    const right = await live.prepare(op, value)
    const guesses = listGuesses(op, right)
    if (guesses.length > 0) return { right, guesses }
  }
  throw new Error(`No example of ${op.id} has a secret.`)
}

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
      const { right, guesses } = await prepareGuesses(op)
      count = guesses.length
      const [secret, wrong] = guesses[index] ?? ['', right]
      const send = isBoundToNetwork(op) ? live.send : startNetwork()
      const statuses: number[] = []
      while (statuses.length < max) statuses.push((await send(wrong)).status)
      expect([secret, statuses.filter((status) => status < 400 || status === 429)]).toEqual([secret, []])
      const limited = await send(wrong)
      expect([secret, limited.status]).toEqual([secret, 429])
      expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
      const served = await send(right)
      expect([secret, served.status < 400, served.text]).toEqual([secret, true, served.text])
      expect([secret, (await startNetwork()(wrong)).status]).toEqual([secret, statuses[0]])
    }
  })
})
