import type { Passkey } from '../../contract/models/passkeys.ts'
import type { PasskeyRecord } from '../../store/sign-in/passkeys.ts'
import { formatTime } from '../../util/time.ts'

/** A passkey as its owner and administrators see it. */
export const toPasskeyBody = (passkey: PasskeyRecord): Passkey => ({
  id: passkey.id,
  name: passkey.name,
  created_at: formatTime(passkey.createdAt),
  last_used_at: formatTime(passkey.lastUsedAt),
  is_synced: passkey.isBackupEligible ?? false,
  is_backed_up: passkey.isBackedUp,
  is_user_verified: passkey.isUserVerified,
  aaguid: passkey.aaguid,
})
