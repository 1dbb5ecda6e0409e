import type { Services } from '../../services.ts'
import type { NewUser, UserRecord } from '../../store/directory/user-record.ts'
import { buildNewUserSteps, createUserWithId, type NewUserOptions } from '../../store/directory/users.ts'
import type { Step } from '../../store/engine/transaction.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { getTotpKeyContext } from '../common/second-factors.ts'
import { buildAdminAccessSteps } from './admin-access-steps.ts'

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
  services: Services,
  id: number,
  imported: ImportedUser,
  context: RequestContext,
): Promise<UserRecord> => {
  const user = await addTotpKey(services, id, imported)
  return createUserWithId(services.table, id, user, buildOptions(services, id, imported, context))
}

/** Builds the steps of `importUser`. Undefined for a user whom one transaction cannot create. */
export const buildImportSteps = async (
  services: Services,
  id: number,
  imported: ImportedUser,
  context: RequestContext,
): Promise<readonly Step[] | undefined> => {
  const user = await addTotpKey(services, id, imported)
  return buildNewUserSteps(id, user, buildOptions(services, id, imported, context))
}

const addTotpKey = async (
  { vault }: Services,
  id: number,
  { user, totpKey }: ImportedUser,
): Promise<NewUser> => {
  if (totpKey === undefined) return user
  const encryptedKey = await vault.encrypt(totpKey, getTotpKeyContext(id))
  return { ...user, totp: { encryptedKey, driftSteps: 0, lastStep: 0, recoveryCodes: {} } }
}

const buildOptions = (
  { now }: Services,
  id: number,
  { user, origin }: ImportedUser,
  context: RequestContext,
): NewUserOptions => ({
  nowMs: now(),
  origin,
  extraSteps: [
    auditStep(context, 'users.imported', { user: id }),
    ...buildAdminAccessSteps(context, [], user.permissions, { user: id, name: user.username }),
  ],
})
