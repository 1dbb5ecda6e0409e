import { randomBytes } from 'node:crypto'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { mintCredential, parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { type ExampleRequest, type Examples, listExamples } from './example-requests.ts'
import { flipBit } from './flip-bit.ts'

/** Another credential of the same kind and subject, or another value of the same form. */
const guess = (secret: string): string => {
  const credential = parseCredential(secret)
  return credential ? mintCredential(credential.kind, credential.subject).value : flipBit(secret)
}

/** Secrets that cannot be recognized as such by their form. */
const otherSecrets: Readonly<Record<string, string>> = {
  login_with_email_code: 'request_id',
  join_organization_with_code: 'request_id',
  login_with_passkey: 'credential',
  reauthenticate_with_passkey: 'credential',
}

/** A passkey signs its own challenge. A wrong answer must not use up the challenge of the right one. */
const guessPasskey = ({ world, service }: Examples) =>
  world.passkey.get(
    { challenge: randomBytes(32).toString('base64url'), rpId: 'localhost' },
    { origin: service.url },
  )

type Guess = readonly [secret: string, request: ExampleRequest]

/** A request for each secret of an example, with a wrong value in place of that secret alone. */
const listGuesses = (live: Examples, { id }: Operation, right: ExampleRequest): readonly Guess[] => {
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
      const wrong = name === 'credential' ? guessPasskey(live) : guess(right.body[name])
      return [name, { ...right, body: { ...right.body, [name]: wrong } }]
    }),
  ]
}

/** Prepares the first example with a secret, and guesses at each of its secrets. */
export const prepareGuesses = async (
  live: Examples,
  op: Operation,
): Promise<{ readonly right: ExampleRequest; readonly guesses: readonly Guess[] }> => {
  for (const { value } of listExamples(op)) {
    const right = await live.prepare(op, value)
    const guesses = listGuesses(live, op, right)
    if (guesses.length > 0) return { right, guesses }
  }
  throw new Error(`No example of ${op.id} has a secret.`)
}
