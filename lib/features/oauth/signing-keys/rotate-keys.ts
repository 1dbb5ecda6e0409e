import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { buildAuditStep } from '../../../accounts/events/records.ts'
import { wasCommitted } from '../../../kernel/table/transaction.ts'
import type { Services } from '../../../services.ts'
import {
  addSigningKey,
  buildPrivateKeyRemoval,
  buildTimesStep,
  listSigningKeys,
  type SigningKeyRecord,
} from '../signing-keys.records.ts'
import { findCurrentKey, findNextKey, listPublishedKeys, planTimes } from './key-set.ts'
import { getSigningKeyContext } from './signing-key.ts'

/** Concurrent runs can create a key each time. Then there are enough keys after a few attempts. */
const maxAttempts = 10

export interface KeyRun {
  readonly services: Services
  /** The ID of the request, for audit events. */
  readonly requestId: string
}

/**
 * Creates keys until one signs now and the next one is published. Removes the private parts of keys that no longer sign.
 * Concurrent runs are safe: each number is given once. Returns the created keys.
 */
export const ensureKeys = async ({ services, requestId }: KeyRun): Promise<readonly SigningKeyRecord[]> => {
  const { table, now } = services
  const created: SigningKeyRecord[] = []
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const keys = await listSigningKeys(table)
    const at = now()
    const [current, next] = [findCurrentKey(keys, at), findNextKey(keys, at)]
    if (current && next && next.signsFrom <= current.signsUntil) {
      await removePrivateParts(services, keys)
      return created
    }
    // Without a current key, the new one has to sign before all verifiers know it.
    const signsFrom = current ? current.signsUntil : at
    const number = (keys.at(-1)?.number ?? 0) + 1
    const key = await createKey({ services, requestId }, number, signsFrom)
    if (key) created.push(key)
  }
  throw new Error('The signing keys changed again and again. Another run may have created them.')
}

/** Returns undefined if another run has created the key with this number. */
const createKey = async (
  { services: { table, vault, now }, requestId }: KeyRun,
  number: number,
  signsFrom: number,
): Promise<SigningKeyRecord | undefined> => {
  const { kid, modulus, exponent, privateKey } = await generateKey()
  const cipher = await vault.encrypt(privateKey, getSigningKeyContext(kid))
  const key = { number, kid, modulus, exponent, createdAt: now(), ...planTimes(signsFrom) }
  const audit = buildKeyAuditStep('signing_key.created', kid, { requestId, at: now() })
  return (await wasCommitted(addSigningKey(table, key, cipher, [audit]))) ? key : undefined
}

/**
 * DynamoDB removes expired items late. A private key that no longer signs should not exist longer than needed. Its key then
 * has no time to sign, so that it is not taken for the current one after a clock that was ahead is right again.
 */
const removePrivateParts = async (
  { table, now }: Services,
  keys: readonly SigningKeyRecord[],
): Promise<void> => {
  const retired = keys.filter(({ signsFrom, signsUntil }) => signsUntil <= now() && signsFrom < signsUntil)
  if (retired.length === 0) return
  const steps = retired.flatMap((key) => [
    buildTimesStep(key, { ...key, signsUntil: key.signsFrom }),
    buildPrivateKeyRemoval(key.number),
  ])
  // Another run may have done the same.
  await wasCommitted(table.transact(steps))
}

/** The audit event of a key. No user is behind it. */
export const buildKeyAuditStep = (
  event: 'signing_key.created' | 'signing_key.withdrawn',
  kid: string,
  { requestId, at }: { readonly requestId: string; readonly at: number },
) =>
  buildAuditStep({
    at,
    event,
    user: null,
    actor: null,
    address: 'schedule',
    requestId,
    target: kid,
    outcome: 'succeeded',
  })

/**
 * Withdraws the key with a `kid`, or all keys: they are no longer published and sign no more. The next key signs at once.
 * Verifiers know it already, unless all keys were withdrawn. Returns the `kid` of each withdrawn key.
 *
 * @throws ConditionFailed if another run changed the keys concurrently
 */
export const withdrawKeys = async (run: KeyRun, kid: string): Promise<readonly string[]> => {
  const { services, requestId } = run
  const { table, now } = services
  const at = now()
  const published = listPublishedKeys(await listSigningKeys(table), at)
  const withdrawn = published.filter((key) => kid === 'all' || key.kid === kid)
  const kept = published.filter((key) => !withdrawn.includes(key))
  const successor = findCurrentKey(kept, at) ? undefined : findNextKey(kept, at)
  if (withdrawn.length > 0)
    await table.transact([
      ...withdrawn.flatMap((key) => [
        buildTimesStep(key, endTimes(key, at)),
        buildPrivateKeyRemoval(key.number),
        buildKeyAuditStep('signing_key.withdrawn', key.kid, { requestId, at }),
      ]),
      ...(successor ? [buildTimesStep(successor, planTimes(at))] : []),
    ])
  await ensureKeys(run)
  return withdrawn.map((key) => key.kid)
}

const endTimes = ({ signsFrom, signsUntil }: SigningKeyRecord, at: number) => ({
  signsFrom: Math.min(signsFrom, at),
  signsUntil: Math.min(signsUntil, at),
  publishedUntil: at,
})

/** A new key of RSA with 2048 bits, which every verifier of RS256 accepts. */
interface NewKey {
  readonly kid: string
  readonly modulus: string
  readonly exponent: string
  /** PKCS #8 as base64. It fits the 4 KB that KMS encrypts. */
  readonly privateKey: string
}

const generate = promisify(generateKeyPair)

const generateKey = async (): Promise<NewKey> => {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: 2048 })
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  return {
    kid: await calculateJwkThumbprint({ kty: 'RSA', n, e }, 'sha256'),
    modulus: n,
    exponent: e,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  }
}
