import type { Services } from '../services.ts'
import { buildAuditStep } from '../store/audit/audit.ts'
import { wasCommitted } from '../store/engine/transaction.ts'
import {
  addSigningKey,
  buildPrivateKeyRemoval,
  buildTimesStep,
  listSigningKeys,
  type SigningKeyRecord,
} from '../store/signing-keys/signing-keys.ts'
import { generateKey } from './generate-key.ts'
import { getSigningKeyContext } from './key-context.ts'
import { findCurrentKey, findNextKey, planTimes } from './key-times.ts'

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
