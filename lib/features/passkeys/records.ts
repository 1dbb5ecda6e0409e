import { createHash } from 'node:crypto'
import { buildUserStep } from '../../accounts/users/build-user-step.records.ts'
import type { PasskeyState, UserRecord } from '../../accounts/users/stored-user.records.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { isAbsent, isPresent, type Update } from '../../kernel/table/expressions.ts'
import { passkeyKey, passkeyMarkerKey, passkeyPrefix, userKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, decodeListed, findRecord, userMarkerCodec } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type OrElse, type Step } from '../../kernel/table/transaction.ts'
import { findWithUserAndPolicy, type StoredSignInPolicy } from '../sign-in/policy.records.ts'

/** All passkeys of a user to show them, without those that cannot be read. */
export const listPasskeys = async (table: Table, userId: number): Promise<readonly PasskeyRecord[]> =>
  decodeListed(table, passkeyCodec, await table.list(userKey(userId).pk, passkeyPrefix))

/** All passkeys of a user. Their number is limited, so one call reads them. */
export const findPasskeys = async (table: Table, userId: number): Promise<readonly PasskeyRecord[]> =>
  (await table.list(userKey(userId).pk, passkeyPrefix)).map(passkeyCodec.decode)

/** The ID of the user who has the passkey with this hash. */
export const findPasskeyOwner = async (table: Table, hash: string): Promise<number | undefined> =>
  (await findRecord(table, userMarkerCodec, passkeyMarkerKey(hash)))?.userId

/** Reads a passkey and a user in one call. The passkey is undefined if the user does not have it. */
export const findPasskeyAndUser = async (
  table: Table,
  userId: number,
  hash: string,
): Promise<{
  passkey: PasskeyRecord | undefined
  user: UserRecord | undefined
  policy: StoredSignInPolicy | undefined
}> => {
  const [passkey, user, policy] = await findWithUserAndPolicy(
    table,
    passkeyCodec,
    passkeyKey(userId, hash),
    userId,
  )
  return { passkey, user, policy }
}

/** Builds the step that changes what a user's record holds about their passkeys. */
export const buildPasskeyStateStep = (user: UserRecord, passkeys: PasskeyState): Step => {
  return buildUserStep(user, { passkeys }, [buildUnchangedUpdate(user)], () => new EditConflict())
}

/**
 * Adds a passkey to a user as they were read.
 *
 * @throws ConflictError `passkey_taken` if any user has it
 * @throws EditConflict if the user was changed since
 * @throws the error of an extra step, first of all
 */
export const createPasskey = (
  table: Table,
  user: UserRecord,
  { passkey, userHandle }: { readonly passkey: PasskeyRecord; readonly userHandle: string },
  extraSteps: readonly Step[],
): Promise<void> =>
  table.transact([
    ...extraSteps,
    ...buildNewPasskeySteps(passkey),
    buildPasskeyStateStep(user, buildAddedPasskey(user, userHandle, passkey).passkeys),
  ])

/** What another passkey changes about its user. */
export const buildAddedPasskey = (
  { passkeys }: UserRecord,
  userHandle: string,
  { isUnproven }: Pick<PasskeyRecord, 'isUnproven'>,
): { readonly passkeys: PasskeyState } => {
  const { count = 0, unprovenCount = 0, isSecondFactor = false } = passkeys ?? {}
  return {
    passkeys: buildState({
      userHandle,
      count: count + 1,
      unprovenCount: unprovenCount + (isUnproven ? 1 : 0),
      isSecondFactor,
    }),
  }
}

/** Without a passkey that counts, the password has to be enough again. */
const buildState = ({ unprovenCount, isSecondFactor, ...state }: Required<PasskeyState>): PasskeyState => ({
  ...state,
  ...(unprovenCount > 0 ? { unprovenCount } : {}),
  isSecondFactor: isSecondFactor && state.count > unprovenCount,
})

/** Builds the steps that store a passkey. They fail with `passkey_taken` if any user has it. */
export const buildNewPasskeySteps = (passkey: PasskeyRecord): readonly Step[] => {
  const { userId, hash } = passkey
  const orElse = () => new ConflictError('passkey_taken', 'another passkey has this credential ID')
  return [
    { put: { ...passkeyMarkerKey(hash), userId }, condition: isAbsent, orElse },
    { put: { ...passkeyCodec.encode(passkey), ...passkeyKey(userId, hash) }, condition: isAbsent, orElse },
  ]
}

/** The state after the removal of passkeys. */
export const countRemovedPasskeys = (
  { passkeys }: Pick<UserRecord, 'passkeys'>,
  removed: readonly Pick<PasskeyRecord, 'isUnproven'>[],
): PasskeyState => {
  const { userHandle = '', count = 0, unprovenCount = 0, isSecondFactor = false } = passkeys ?? {}
  const unproven = removed.filter(({ isUnproven }) => isUnproven).length
  return buildState({
    userHandle,
    count: Math.max(0, count - removed.length),
    unprovenCount: Math.max(0, unprovenCount - unproven),
    isSecondFactor,
  })
}

/** The state after the first use of a passkey that was not proven. Undefined if the use changes nothing about it. */
export const countProvenPasskey = (
  { passkeys }: Pick<UserRecord, 'passkeys'>,
  { isUnproven }: Pick<PasskeyRecord, 'isUnproven'>,
): PasskeyState | undefined => {
  if (!passkeys || !isUnproven) return undefined
  const { unprovenCount = 0 } = passkeys
  return buildState({ ...passkeys, unprovenCount: Math.max(0, unprovenCount - 1) })
}

/** Lets a transaction fail if the user was edited since they were read. */
export const buildUnchangedUpdate =
  ({ version }: Pick<UserRecord, 'version'>): Update =>
  (x) => ({ condition: `${x.path('version')} = ${x.value(version)}` })

/** Builds the steps that delete a passkey. They fail if it was deleted already. */
export const buildDeletePasskeySteps = ({ userId, hash }: PasskeyRecord, orElse: OrElse): readonly Step[] => [
  { delete: passkeyKey(userId, hash), condition: isPresent, orElse },
  { delete: passkeyMarkerKey(hash) },
]

/** The fields of a passkey that a use changes. */
export type PasskeyUse = Pick<
  PasskeyRecord,
  'counter' | 'isBackupEligible' | 'isBackedUp' | 'isUserVerified'
> & {
  readonly lastUsedAt: number
}

/**
 * Builds the step that records a use. It fails with `EditConflict` if the passkey was deleted or used since it was read. The first
 * use of one that was not proven happens once, so that the user counts it once.
 */
export const buildPasskeyUseStep = (
  { userId, hash, counter, isUnproven }: PasskeyRecord,
  use: PasskeyUse,
): Step => {
  const isSame: typeof isPresent = (x) =>
    [
      `${x.path('counter')} = ${x.value(counter)}`,
      ...(isUnproven ? [`attribute_exists(${x.path('isUnproven')})`] : []),
    ].join(' AND ')
  return buildPasskeyStep(userId, hash, use, isSame, isUnproven ? ['isUnproven'] : [])
}

/** Builds the step that renames a passkey. @throws EditConflict if it was deleted since it was read */
export const buildRenamePasskeyStep = ({ userId, hash }: PasskeyRecord, name: string): Step =>
  buildPasskeyStep(userId, hash, { name }, isPresent)

/** Builds the step that stores when the counter of a passkey went back. */
export const buildPasskeyClonedStep = ({ userId, hash }: PasskeyRecord, clonedAt: number): Step =>
  buildPasskeyStep(userId, hash, { clonedAt }, isPresent)

const buildPasskeyStep = (
  userId: number,
  hash: string,
  fields: Partial<PasskeyRecord>,
  condition: typeof isPresent,
  removed: readonly (keyof PasskeyRecord)[] = [],
): Step => ({
  update: passkeyKey(userId, hash),
  changes: (x) => ({
    set: Object.entries(fields).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`),
    remove: removed.map((name) => x.path(name)),
    condition: condition(x),
  }),
  orElse: () => new EditConflict(),
})

/**
 * A passkey, in the partition of its owner, so that one call reads both. A marker leads from the credential ID to the
 * owner, because a sign-in with a passkey names no user.
 */
export interface PasskeyRecord {
  /** The SHA-256 of the credential ID, in base64url. A credential ID can be too long for a key. */
  readonly hash: string
  /** Random within its user, like the ID of a session. */
  readonly id: number
  readonly userId: number
  readonly name: string
  /** The ID that the authenticator chose, in base64url. */
  readonly credentialId: string
  /** The public key as COSE (RFC 9052), in base64url. */
  readonly publicKey: string
  /** How often the authenticator says that it was used. Always 0 for passkeys that devices share. */
  readonly counter: number
  /** How browsers can reach the authenticator. */
  readonly transports: readonly string[]
  /** Whether devices may share the passkey. This never changes. Missing for an imported one until its first use. */
  readonly isBackupEligible?: boolean | undefined
  readonly isBackedUp: boolean
  /** Whether the passkey has ever verified its user. */
  readonly isUserVerified: boolean
  /** The model of the authenticator, or zeros. Nothing proves it. */
  readonly aaguid: string
  /** Epoch milliseconds, like all times here. */
  readonly createdAt: number
  readonly lastUsedAt: number | null
  /** When the counter last went back. */
  readonly clonedAt?: number
  /** The browser added it without a question, after a password. Nobody but the holder of that password knows of it. */
  readonly isUnasked?: true
  /** Also, nobody has used it, and it never verified its user. `PasskeyState` counts these. */
  readonly isUnproven?: true
  /** Another system registered it. Authenticators return the user handle of that system, which may be unknown. */
  readonly isImported?: true
}

export const passkeyCodec = createCodec<PasskeyRecord>('passkey', {
  hash: 'string',
  id: 'number',
  userId: 'number',
  credentialId: 'string',
  publicKey: 'string',
  counter: 'number',
  isUserVerified: 'boolean',
})

/** Hashes a credential ID in base64url. Other notations of the same bytes have the same hash. */
export const hashCredentialId = (credentialId: string): string =>
  createHash('sha256').update(Buffer.from(credentialId, 'base64url')).digest('base64url')
