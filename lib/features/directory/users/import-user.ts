import { randomBytes, randomInt } from 'node:crypto'
import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import { getTotpKeyContext } from '../../../accounts/users/account-state.ts'
import type { NewUser, UserRecord } from '../../../accounts/users/stored-user.records.ts'
import {
  buildNewUserSteps,
  createUserWithId,
  type NewUserOptions,
} from '../../../accounts/users/write-users.records.ts'
import { hashOtherRecoveryCodes } from '../../../kernel/secrets/recovery-codes.ts'
import type { Step } from '../../../kernel/table/transaction.ts'
import type { Services } from '../../../services.ts'
import {
  buildImportedIdentitySteps,
  type FoundIdentity,
} from '../../connections/imported-identities.records.ts'
import { buildNewPasskeySteps, hashCredentialId, type PasskeyRecord } from '../../passkeys/records.ts'
import { buildAdminAccessSteps } from '../rights/admin-access-steps.ts'

/** A user from another system, with their credentials. */
export interface ImportedUser {
  readonly user: NewUser
  /** The key of their authenticator app, in the form that `readTotpKey` returns. */
  readonly totpKey: string | undefined
  /** The recovery codes that the other system gave to the user. They need the key of an authenticator app. */
  readonly recoveryCodes: readonly string[]
  readonly passkeys: readonly ImportedPasskey[]
  /** Accounts at public providers that no user has. */
  readonly identities: readonly FoundIdentity[]
  /** Identifies the line of this user. Stored with the username, so that a second import recognizes the line. */
  readonly origin: string
}

/** A passkey that another system with the same RP ID registered. */
export type ImportedPasskey = Pick<
  PasskeyRecord,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'aaguid' | 'name' | 'isBackupEligible'
> & {
  /** Epoch milliseconds. */
  readonly createdAt: number | undefined
}

/**
 * Adds a user with an ID that was taken from the counter before. The drift of the authenticator app is learned again.
 *
 * @throws NotUnique when the username or the email address is taken
 * @throws ConflictError `passkey_taken` or `account_taken` if any user has one of the passkeys or identities
 */
export const importUser = async (
  services: Services,
  id: number,
  imported: ImportedUser,
  context: RequestContext,
): Promise<UserRecord> => {
  const user = await addCredentials(services, id, imported)
  return createUserWithId(services.table, id, user, buildOptions(services, id, imported, context))
}

/** Builds the steps of `importUser`. Undefined for a user whom one transaction cannot create. */
export const buildImportSteps = async (
  services: Services,
  id: number,
  imported: ImportedUser,
  context: RequestContext,
): Promise<readonly Step[] | undefined> => {
  const user = await addCredentials(services, id, imported)
  return buildNewUserSteps(id, user, buildOptions(services, id, imported, context))
}

const addCredentials = async (
  { vault }: Services,
  id: number,
  { user, totpKey, recoveryCodes, passkeys }: ImportedUser,
): Promise<NewUser> => {
  const userHandle = randomBytes(32).toString('base64url')
  const added: NewUser =
    passkeys.length === 0
      ? user
      : { ...user, passkeys: { userHandle, count: passkeys.length, isSecondFactor: false } }
  if (totpKey === undefined) return added
  const encryptedKey = await vault.encrypt(totpKey, getTotpKeyContext(id))
  const stored = await hashOtherRecoveryCodes(recoveryCodes)
  return { ...added, totp: { encryptedKey, driftSteps: 0, lastStep: 0, recoveryCodes: stored } }
}

const toPasskey = (
  { createdAt, ...given }: ImportedPasskey,
  userId: number,
  nowMs: number,
): PasskeyRecord => ({
  ...given,
  hash: hashCredentialId(given.credentialId),
  id: randomInt(1, 2 ** 31),
  userId,
  isBackedUp: false,
  isUserVerified: false,
  createdAt: createdAt ?? nowMs,
  lastUsedAt: null,
  isImported: true,
})

const buildOptions = (
  { now }: Services,
  id: number,
  { user, origin, passkeys, identities }: ImportedUser,
  context: RequestContext,
): NewUserOptions => ({
  nowMs: now(),
  origin,
  extraSteps: [
    auditStep(context, 'users.imported', { user: id }),
    ...passkeys.flatMap((passkey) => buildNewPasskeySteps(toPasskey(passkey, id, now()))),
    ...identities.flatMap((identity) => buildImportedIdentitySteps(identity, id, now())),
    ...buildAdminAccessSteps(context, [], user.permissions, { user: id, name: user.username }),
  ],
})
