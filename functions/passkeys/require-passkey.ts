import { requireFound } from '../../lib/errors/require-found.ts'
import type { Services } from '../../lib/services.ts'
import { findPasskeys, type PasskeyRecord } from '../../lib/store/sign-in/passkeys.ts'

/** Returns a passkey of a user. @throws AppError `not_found` if the user has no passkey with this ID. */
export const requirePasskey = async (
  { table }: Services,
  userId: number,
  id: number,
): Promise<PasskeyRecord> =>
  requireFound((await findPasskeys(table, userId)).find((passkey) => passkey.id === id))
