import { isPresent, type Update } from '../engine/expressions.ts'
import { userKey } from '../engine/keys.ts'
import type { OrElse, Step } from '../engine/transaction.ts'
import type { UserRecord } from '../records/user-record.ts'

/** A change of a user's record, for `buildUserStep`. */
export type UserUpdate = Update

/** Lets a transaction fail if the user was deleted. */
export const buildUserExistsStep = (id: number): Step => ({ check: userKey(id), condition: isPresent })

/** Lets a transaction fail if the user was disabled or deleted, or their sessions were ended, since they were read. */
export const buildUnchangedUserStep = ({ id, credentialEpoch }: UserRecord, orElse: OrElse): Step => ({
  check: userKey(id),
  condition: (x) =>
    `${x.path('credentialEpoch')} = ${x.value(credentialEpoch)} AND ${x.path('isEnabled')} = ${x.value(true)}`,
  orElse,
})

/** The fields of a user whose sessions and tickets, every one from before, are dead. */
export const endSessionsChange = ({ credentialEpoch }: UserRecord) => ({
  credentialEpoch: credentialEpoch + 1,
  tickets: {},
  endedSessions: {},
})

/** The same of one whose password is set. */
export const newPasswordChange = (user: UserRecord, passwordHash: string) => ({
  passwordHash,
  passwordChangeRequired: false,
  ...endSessionsChange(user),
})

/**
 * All that a transaction does to a user's record, which it can name once only: fields to set, and `updates`, whose
 * conditions have no OR. It refuses when one of those does, or when the sessions of the user were ended since it was
 * read, as a new password and a new second factor do: what was proven of the user still holds. An edit of the profile
 * doesn't get in its way; one that read the user before this loses, or it might set the epoch back.
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
    const set = Object.entries(fields).map(([name, value]) => `${x.path(name)} = ${x.value(value)}`)
    if (set.length > 0) set.push(`${x.path('version')} = ${x.path('version')} + ${x.value(1)}`)
    return {
      set: [...set, ...changes.flatMap((change) => change.set ?? [])],
      remove: changes.flatMap((change) => change.remove ?? []),
      condition: [
        `${x.path('credentialEpoch')} = ${x.value(user.credentialEpoch)}`,
        ...changes.flatMap((change) => change.condition ?? []),
      ].join(' AND '),
    }
  },
  orElse,
})
