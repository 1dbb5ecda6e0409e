import type { Services } from '../../services.ts'
import { planUse, type TokenUse } from './credential-use.records.ts'

/**
 * Stores that a token was used, if `planUse` finds something to store. The request of the token goes on if it cannot be written.
 * `address` is that of the sender, or undefined if it is not known. `store` writes the use to the item of the token.
 */
export const noteUse = async (
  { now, log }: Pick<Services, 'now' | 'log'>,
  token: TokenUse,
  address: string | undefined,
  store: (use: TokenUse) => Promise<void>,
): Promise<void> => {
  const use = planUse(token, address, now())
  if (use) await store(use).catch((error: unknown) => log.warn('last_used.not_written', { error }))
}
