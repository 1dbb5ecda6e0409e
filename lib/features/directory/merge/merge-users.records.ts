import { buildUserLogoutSteps } from '../../../accounts/sessions/logout-jobs.records.ts'
import { buildIndexSteps } from '../../../accounts/users/build-index-steps.records.ts'
import { buildUserStep } from '../../../accounts/users/build-user-step.records.ts'
import {
  listExternalIds,
  type RevokedPeriod,
  type UserRecord,
  userKind,
} from '../../../accounts/users/stored-user.records.ts'
import { noAttributes } from '../../../kernel/contract/stored-attributes.ts'
import type { Condition } from '../../../kernel/table/expressions.ts'
import { externalIdKey, formerGuestKey, type Key, userKey } from '../../../kernel/table/keys/keys.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../../kernel/table/transaction.ts'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import { leaveSomeGroups } from '../deletion/delete-user.records.ts'

/*
 * Two users become one. The record of the other user stays without anything of the person, and leads to the user who is
 * kept, as that of a guest leads to the account that replaced it. So API tokens and links that name the old ID keep working.
 * Their IDs in other systems lead to the kept user from the same write on. `move-user-items.ts` moves the rest. If that is
 * interrupted, another call continues it.
 */

interface MergeOptions {
  readonly revokedCredentials?: RevokedPeriod | undefined
  readonly extraSteps: readonly Step[]
}

/**
 * Ends a user, who leads to the kept one from then on. All of their sessions end. Returns what remains of the user.
 * `revokedCredentials` is the period whose credentials do not work any more.
 *
 * @throws EditConflict if one of the two was changed or deleted since they were read
 * @throws LastAdmin if no administrator would be left
 */
export const endMergedUser = async (
  table: Table,
  kept: UserRecord,
  other: UserRecord,
  { revokedCredentials, extraSteps }: MergeOptions,
): Promise<UserRecord> => {
  const last = { ...(await leaveSomeGroups(table, other)), ...omitUndefined({ revokedCredentials }) }
  const isUnchanged =
    (version: number): Condition =>
    (x) =>
      `${x.path('version')} = ${x.value(version)}`
  const orElse = () => new EditConflict()
  const moved = listExternalIds(last)
  const { externalId: _, mergedExternalIds: __, ...rest } = last
  const ended = toEnded(last, kept.id)
  await table.transact([
    {
      put: { ...userKind.codec.encode(ended), ...userKey(other.id) },
      condition: isUnchanged(last.version),
      orElse,
    },
    buildUserStep(
      kept,
      {
        ...(moved.length > 0 && { mergedExternalIds: [...(kept.mergedExternalIds ?? []), ...moved] }),
        ...(last.directories && {
          directories: [...new Set([...(kept.directories ?? []), ...last.directories])],
        }),
      },
      [(x) => ({ condition: isUnchanged(kept.version)(x) })],
      orElse,
    ),
    ...moved.map((id) => buildMoveStep(externalIdKey(id), last.id, kept.id)),
    { put: { ...formerGuestKey(kept.id, other.id) } },
    ...buildIndexSteps(rest, undefined),
    ...buildUserLogoutSteps(other),
    ...extraSteps,
  ])
  return ended
}

/** Gives an item that leads to a user to another one. The line that they were imported from stays known. */
const buildMoveStep = (key: Key, from: number, to: number): Step => ({
  update: key,
  changes: (x) => ({
    set: [`${x.path('userId')} = ${x.value(to)}`],
    condition: `${x.path('userId')} = ${x.value(from)}`,
  }),
  orElse: () => new EditConflict(),
})

/** What remains of the record. The username is that of audit events. */
const toEnded = (user: UserRecord, successorId: number): UserRecord => ({
  id: user.id,
  username: user.username,
  normalizedUsername: user.normalizedUsername,
  email: null,
  normalizedEmail: null,
  full_name: null,
  sync_id: user.sync_id,
  is_enabled: false,
  is_external: user.is_external,
  successorId,
  isMerged: true,
  expiresAt: null,
  passwordHash: null,
  password_change_required: false,
  allow_changing_password: false,
  totp: null,
  permissions: [],
  groups: [],
  default_page: '/',
  language: null,
  attributes: noAttributes,
  lastSeenAt: null,
  createdAt: user.createdAt,
  version: user.version + 1,
  credentialEpoch: user.credentialEpoch + 1,
  knownAddresses: {},
  ...(user.hasClientSessions ? { hasClientSessions: true } : {}),
  ...(user.apiTokensEndedAt !== undefined && { apiTokensEndedAt: user.apiTokensEndedAt }),
  ...(user.revokedCredentials ? { revokedCredentials: user.revokedCredentials } : {}),
})
