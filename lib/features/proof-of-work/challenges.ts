import { createHash, hkdfSync } from 'node:crypto'
import { type Challenge, createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import * as z from 'zod/mini'
import { proofLifetimeMs } from '../../kernel/limits/limits.ts'
import { type DataKeys, getKeyMonth, openDataKeys } from '../../kernel/table/data-keys.ts'
import { hour } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { useChallenge } from './records.ts'

/*
 * Challenges of ALTCHA: a key that PBKDF2 derives must begin with a byte of zeros, which takes 256 attempts on average. Browsers
 * derive keys as fast as other programs do, so people wait no longer than bots. A challenge is signed, not stored. It costs the
 * service one HMAC, and a right solution one derivation and one write.
 */

const algorithm = 'PBKDF2/SHA-256'
const keyPrefix = '00'
/** Rounds of one attempt. A desktop browser takes a quarter of a second for the first, and an old phone half a minute for the last. */
const roundsPerLevel = [1_000, 2_000, 4_000, 8_000] as const

/** Doubles the work whenever the pressure doubles, up to the last level. */
const chooseRounds = (pressure: number): number => {
  const level = Math.floor(Math.log2(Math.max(1, pressure)))
  return roundsPerLevel[Math.min(level, roundsPerLevel.length - 1)] ?? roundsPerLevel[0]
}

const keysOf = new WeakMap<Services, DataKeys>()

/**
 * The secret of this operation's signatures. A challenge of another operation has no right signature. Nor has one of the month
 * before, so somebody whose proof falls into the change of months is asked once more.
 */
const loadSecret = async (services: Services, operation: string): Promise<string> => {
  const keys = keysOf.get(services) ?? openDataKeys(services, 'proof_of_work')
  keysOf.set(services, keys)
  const key = await keys.loadOrCreate(getKeyMonth(services.now()))
  return Buffer.from(hkdfSync('sha256', key, '', `latchkey ${operation}`, 32)).toString('base64url')
}

/** Creates a challenge that works once, for this operation. Its work grows with the pressure above 1. */
export const mintProofChallenge = async (
  services: Services,
  operation: string,
  pressure: number,
): Promise<Challenge> =>
  createChallenge({
    algorithm,
    cost: chooseRounds(pressure),
    keyPrefix,
    deriveKey,
    expiresAt: new Date(services.now() + proofLifetimeMs),
    hmacSignatureSecret: await loadSecret(services, operation),
  })

const hex = (maximum: number) => z.string().check(z.maxLength(maximum), z.regex(/^[0-9a-f]+$/))
const count = z.int().check(z.minimum(0), z.maximum(0xffff_ffff))

/** The form of our challenges and their solutions. The signature decides about the values. */
const Proof = z.strictObject({
  challenge: z.strictObject({
    parameters: z.strictObject({
      algorithm: z.literal(algorithm),
      cost: count,
      expiresAt: z.int(),
      keyLength: count,
      keyPrefix: hex(2),
      nonce: hex(32),
      salt: hex(32),
    }),
    signature: hex(64),
  }),
  // Solvers also say how long they took.
  solution: z.object({ counter: count, derivedKey: hex(64) }),
})
type Proof = z.output<typeof Proof>

const readProof = (text: string): Proof | undefined => {
  try {
    return z.safeParse(Proof, JSON.parse(Buffer.from(text, 'base64').toString('utf8'))).data
  } catch {
    return undefined
  }
}

/**
 * Checks and uses a proof. The library checks end, signature, and then the solution, which alone takes time. Returns false for a
 * proof that does not count, or counted before.
 */
export const acceptProof = async (services: Services, operation: string, text: string): Promise<boolean> => {
  const proof = readProof(text)
  if (!proof) return false
  const { challenge, solution } = proof
  const { nonce, expiresAt } = challenge.parameters
  if (expiresAt * 1000 <= services.now()) return false
  const hmacSignatureSecret = await loadSecret(services, operation)
  const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret })
  if (!verified) return false
  const hash = createHash('sha256').update(nonce).digest('base64url')
  return useChallenge(services.table, hash, expiresAt * 1000 + hour)
}
