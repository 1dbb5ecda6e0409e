import { isAbsent } from '../../kernel/table/expressions.ts'
import { userKey } from '../../kernel/table/keys/keys.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { chunkGroups } from './build-index-steps.records.ts'
import { type NewUser, type UserRecord, userKind } from './stored-user.records.ts'
import { buildUserListing } from './user-listing.records.ts'

/** The credential epoch of a new user. */
export const firstCredentialEpoch = 1

/** How a user is created: the record and its step, and the lists of groups that further transactions set. */
export interface NewUserPlan {
  readonly record: UserRecord
  readonly putStep: Step
  readonly laterGroups: readonly (readonly number[])[]
}

export const planNewUser = (id: number, user: NewUser, nowMs: number): NewUserPlan => {
  const [groups = [], ...laterGroups] = chunkGroups([], user.groups)
  const record: UserRecord = {
    ...user,
    groups,
    id,
    version: 1,
    credentialEpoch: firstCredentialEpoch,
    knownAddresses: {},
    createdAt: nowMs,
    lastSeenAt: null,
  }
  // A guest who was replaced before they existed is in no list.
  const listing = user.successorId === undefined ? buildUserListing(record) : {}
  const item = { ...userKind.codec.encode(record), ...userKey(id), ...listing }
  return { record, putStep: { put: item, condition: isAbsent }, laterGroups }
}
