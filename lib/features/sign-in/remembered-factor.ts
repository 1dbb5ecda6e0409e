import type { RequestContext } from '../../accounts/callers/request-context.ts'
import type { Services } from '../../services.ts'
import { factorMemories } from '../factor-memories.ts'
import type { Asked, DeviceChange, ProvenFactor } from './factor-memory.ts'

/** What the answer that asks for a second factor says about remembering the browser. */
export const describeOffer = async (
  services: Services,
  asked: Asked,
): Promise<{ readonly remember_device_days?: number }> =>
  Object.assign(
    {},
    ...(await Promise.all(factorMemories.map((memory) => memory.describeOffer(services, asked)))),
  )

/** Uses what remembers the browser, instead of the second factor. Undefined if the second factor is to be asked for. */
export const useRememberedFactor = async (
  services: Services,
  context: RequestContext,
  asked: Asked,
): Promise<DeviceChange | undefined> => {
  for (const memory of factorMemories) {
    const used = await memory.use(services, context, asked)
    if (used) return used
  }
  return undefined
}

/** Remembers the browser of a sign-in that proved a second factor, if the person wants that and it is allowed. */
export const rememberFactor = async (
  services: Services,
  context: RequestContext,
  proven: ProvenFactor,
): Promise<DeviceChange | undefined> => {
  for (const memory of factorMemories) {
    const added = await memory.remember(services, context, proven)
    if (added) return added
  }
  return undefined
}
