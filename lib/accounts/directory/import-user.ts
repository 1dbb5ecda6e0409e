import type { Services } from '../../services.ts'
import { createUserWithId } from '../../store/directory/users.ts'
import type { NewUser, UserRecord } from '../../store/records/user-record.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { getTotpKeyContext } from '../common/totp-key.ts'
import { buildAdminAccessAuditSteps } from './admin-access-audit.ts'

/** A user from another system, with their credentials. */
export interface ImportedUser {
  readonly user: NewUser
  /** The key of their authenticator app, in the form that `readTotpKey` returns. */
  readonly totpKey: string | undefined
  /** Identifies the line of this user. Stored with the username, so that a second import recognizes the line. */
  readonly origin: string
}

/**
 * Adds a user with an ID that was taken from the counter before. Recovery codes are not imported, because they are hashed
 * with the old user ID. The drift of the authenticator app is learned again.
 *
 * @throws NotUnique when the username or the email address is taken
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
  return createUserWithId(
    table,
    id,
    { ...user, totp },
    {
      nowMs: now(),
      origin,
      extraSteps: [
        auditStep(context, 'users.imported', { user: id }),
        ...buildAdminAccessAuditSteps(context, [], user.permissions, { user: id }),
      ],
    },
  )
}
