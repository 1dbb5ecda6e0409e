import {
  buildPrivateKeyRemoval,
  buildTimesStep,
  listSigningKeys,
  type SigningKeyRecord,
} from '../store/signing-keys/signing-keys.ts'
import { buildKeyAuditStep, ensureKeys, type KeyRun } from './ensure-keys.ts'
import { findCurrentKey, findNextKey, listPublishedKeys, planTimes } from './key-times.ts'

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
