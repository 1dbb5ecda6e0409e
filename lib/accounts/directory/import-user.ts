import type { Services } from '../../services.ts'
import { createUserAs } from '../../store/directory/users.ts'
import type { NewUser, UserRecord } from '../../store/records/user-record.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { getTotpKeyContext } from '../common/totp-key.ts'
import { buildAdminAccessAuditSteps } from './admin-access-audit.ts'

/** A user that comes from elsewhere, with what it signs in with there. */
export interface ImportedUser {
  readonly user: NewUser
  /** The key of its authenticator, as `readTotpKey` spells it. */
  readonly totpKey: string | undefined
  /** Tells this user's line from any other: what is stored with the name, for a second run to know it again. */
  readonly origin: string
}

/**
 * Adds a user under an id that was taken from the counter. A second factor comes without recovery codes, since
 * these are hashed for the id the user had; what drift its authenticator has is learned anew.
 *
 * @throws NotUnique when the username or the address is taken.
 */
export const importUser = async (
  { table, vault, now }: Services,
  id: number,
  { user, totpKey, origin }: ImportedUser,
  context: RequestContext,
): Promise<UserRecord> => {
  const totp =
    totpKey === undefined
      ? null
      : {
          encryptedKey: await vault.encrypt(totpKey, getTotpKeyContext(id)),
          driftSteps: 0,
          lastStep: 0,
          recoveryCodes: {},
        }
  return createUserAs(
    table,
    id,
    { ...user, totp },
    now(),
    [
      auditStep(context, 'users.imported', { user: id }),
      ...buildAdminAccessAuditSteps(context, [], user.permissions, { user: id }),
    ],
    origin,
  )
}
