import { isPresent, type Update } from '../../kernel/table/expressions.ts'
import { userKey } from '../../kernel/table/keys/keys.ts'
import type { OrElse, Step } from '../../kernel/table/transaction.ts'
import { hasNoNewClientSessions } from '../sessions/logout-jobs.records.ts'
import { type EmailConfirmation, type UserRecord, userKind } from './stored-user.records.ts'

/** A change of a user's record, for `buildUserStep`. */
export type UserUpdate = Update

/**
 * Completes fields that set or remove a password. The old system does not decide about this user any more: without that, a
 * password that was removed after a theft would work again there. What was found out about the old password is forgotten.
 */
export const withoutOldPassword = <Fields extends Partial<UserRecord>>(
  { legacySignIn, breachLookup }: UserRecord,
  fields: Fields,
): Fields & Pick<UserRecord, 'legacySignIn' | 'breachLookup'> =>
  'passwordHash' in fields
    ? {
        ...(legacySignIn ? { legacySignIn: undefined } : {}),
        ...(breachLookup ? { breachLookup: undefined } : {}),
        ...fields,
      }
    : fields

/** Lets a transaction fail if the user was deleted. */
export const buildUserExistsStep = (id: number): Step => ({ check: userKey(id), condition: isPresent })

/** Lets a transaction fail if the user was deleted, or their sessions were ended, since they were read. */
export const buildSameSessionsStep = (
  { id, credentialEpoch }: Pick<UserRecord, 'id' | 'credentialEpoch'>,
  orElse: OrElse,
): Step => ({
  check: userKey(id),
  condition: (x) => `${x.path('credentialEpoch')} = ${x.value(credentialEpoch)}`,
  orElse,
})

/** Lets a transaction fail if the user was disabled or deleted, or their sessions were ended, since they were read. */
export const buildUnchangedUserStep = ({ id, credentialEpoch }: UserRecord, orElse: OrElse): Step => ({
  check: userKey(id),
  condition: (x) =>
    `${x.path('credentialEpoch')} = ${x.value(credentialEpoch)} AND ${x.path('is_enabled')} = ${x.value(true)}`,
  orElse,
})

/** The fields that end all sessions and tickets of a user. */
export const buildEndSessionsChange = ({ credentialEpoch }: UserRecord) => ({
  credentialEpoch: credentialEpoch + 1,
})

/** The fields that set a password and end all sessions and tickets. */
export const buildNewPasswordChange = (user: UserRecord, passwordHash: string, nowMs: number) => ({
  passwordHash,
  passwordChangedAt: nowMs,
  password_change_required: false,
  ...buildEndSessionsChange(user),
})

/** Builds the fields that revoke all reset links of a user. */
export const buildEndResetLinksChange = ({ resetEpoch = 0 }: Pick<UserRecord, 'resetEpoch'>) => ({
  resetEpoch: resetEpoch + 1,
})

/**
 * Builds the step that stores a link for the address that waits for a confirmation. It does not count as an edit: an
 * administrator who edits the user at the same time must not get a conflict. An edit of the address removes the link.
 */
export const buildConfirmationStep = (
  { id, credentialEpoch, normalizedEmail, pendingEmail }: UserRecord,
  confirmation: EmailConfirmation,
  orElse: OrElse,
): Step => ({
  update: userKey(id),
  changes: (x) => ({
    set: [`${x.path('emailConfirmation')} = ${x.value(confirmation)}`],
    condition: [
      `${x.path('credentialEpoch')} = ${x.value(credentialEpoch)}`,
      pendingEmail
        ? `${x.path('pendingEmail', 'normalizedEmail')} = ${x.value(pendingEmail.normalizedEmail)}`
        : `attribute_not_exists(${x.path('pendingEmail')})`,
      `${x.path('normalizedEmail')} = ${x.value(normalizedEmail)}`,
    ].join(' AND '),
  }),
  orElse,
})

/** Builds the step that takes the link with this hash back, so that the one before it works again. */
export const buildEarlierConfirmationStep = (
  { id, emailConfirmation }: UserRecord,
  hash: string,
  orElse: OrElse,
): Step => ({
  update: userKey(id),
  changes: (x) => ({
    ...(emailConfirmation
      ? { set: [`${x.path('emailConfirmation')} = ${x.value(emailConfirmation)}`] }
      : { remove: [x.path('emailConfirmation')] }),
    condition: `${x.path('emailConfirmation', 'hash')} = ${x.value(hash)}`,
  }),
  orElse,
})

/**
 * Builds the one step by which a transaction changes a user's record, because a transaction can name each item only
 * once. It sets `fields` and applies `updates`, whose conditions must not contain OR.
 *
 * It fails if the condition of an update does not hold, or if the user's sessions were ended since the user was read:
 * a new password and a new second factor do that, so what the user proved is still valid. Other edits of the profile
 * do not interfere. An edit that read the user before this step conflicts, because it could restore an old epoch. If the
 * fields end all sessions, the transaction needs `buildUserLogoutSteps` as well.
 */
export const buildUserStep = (
  user: UserRecord,
  fields: Partial<UserRecord>,
  updates: readonly UserUpdate[],
  orElse?: OrElse,
): Step => ({
  update: userKey(user.id),
  changes: (x) => {
    const changes = updates.map((update) => update(x))
    const entries = Object.entries(userKind.codec.encodeChanges(user, withoutOldPassword(user, fields)))
    const set = entries.flatMap(([name, value]) =>
      value === undefined ? [] : [`${x.path(name)} = ${x.value(value)}`],
    )
    if (set.length > 0) set.push(`${x.path('version')} = ${x.path('version')} + ${x.value(1)}`)
    return {
      set: [...set, ...changes.flatMap((change) => change.set ?? [])],
      remove: [
        ...entries.flatMap(([name, value]) => (value === undefined ? [x.path(name)] : [])),
        ...changes.flatMap((change) => change.remove ?? []),
      ],
      condition: [
        `${x.path('credentialEpoch')} = ${x.value(user.credentialEpoch)}`,
        ...(fields.credentialEpoch === undefined ? [] : [hasNoNewClientSessions(user)(x)]),
        ...changes.flatMap((change) => change.condition ?? []),
      ].join(' AND '),
    }
  },
  orElse,
})

/** Ends the link that confirms an address of the user. Fails if it was used, or replaced by a newer one. */
export const buildEndConfirmationStep = (userId: number, hash: string): Step => ({
  update: userKey(userId),
  changes: (x) => ({
    remove: [x.path('emailConfirmation')],
    condition: `${x.path('emailConfirmation', 'hash')} = ${x.value(hash)}`,
  }),
})
