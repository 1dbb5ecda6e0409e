import { setTimeout as sleep } from 'node:timers/promises'
import { jobEvent } from '../../../kernel/contract/job-event.ts'
import { signingKeyRequestMs } from '../../../kernel/limits/limits.ts'
import { isWithin } from '../../../kernel/util/time.ts'
import type { Services } from '../../../services.ts'
import { findCurrentKey, readKeys } from './key-set.ts'

/**
 * Returns the function that asks for keys on a bus, on which a rule starts `signing-keys`, and waits until one can sign. It
 * gives up after a while. Then it does not ask again for a minute, so that requests do not wait in vain.
 */
export const createKeyRequests = (busName: string) => {
  let givenUpAt = Number.NEGATIVE_INFINITY
  return async (services: Services): Promise<void> => {
    const { log, now } = services
    if (isWithin(givenUpAt, now(), signingKeyRequestMs.pause)) return
    if (await requestKeys(services, busName).catch((error: unknown) => logRefusal(services, error))) return
    givenUpAt = now()
    log.error('signing_keys.not_created')
  }
}

/** Returns whether a key can sign. */
const requestKeys = async (services: Services, busName: string): Promise<boolean> => {
  // Loaded on demand, because it is needed almost never.
  const { createBusWriter } = await import('../../../kernel/util/bus-writer.ts')
  const event = { source: jobEvent.source, detailType: jobEvent.missingSigningKeys, detail: '{}' }
  const refusal = await createBusWriter(busName)([event])
  if (refusal) return logRefusal(services, refusal.error)
  for (let waited = 0; waited < signingKeyRequestMs.wait; waited += signingKeyRequestMs.poll) {
    await sleep(signingKeyRequestMs.poll)
    if (findCurrentKey(await readKeys(services), services.now())) return true
  }
  return false
}

const logRefusal = ({ log }: Services, error: unknown): false => {
  log.error('signing_keys.not_requested', { error })
  return false
}
