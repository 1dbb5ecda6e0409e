import { requireShown } from '../../../accounts/callers/decisions.ts'
import type { Principal } from '../../../accounts/callers/principal.ts'
import type { RequestContext } from '../../../accounts/callers/request-context.ts'
import { changeSteps } from '../../../accounts/events/change-event.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import { findGroups } from '../../../accounts/groups/groups.records.ts'
import { buildSecurityNoticeStep, buildSignInSetSteps } from '../../../accounts/outbox/security-notices.ts'
import { findUser } from '../../../accounts/users/find-users.records.ts'
import { isGuestUser } from '../../../accounts/users/guest-state.records.ts'
import { requireUser } from '../../../accounts/users/require-records.ts'
import { buildRevokeCredentialsChange } from '../../../accounts/users/revoked-credentials.records.ts'
import type {
  FieldChanges,
  RevokedPeriod,
  UserChanges,
  UserRecord,
} from '../../../accounts/users/stored-user.records.ts'
import { getDisplayName } from '../../../accounts/users/user-body.ts'
import { toUserChange } from '../../../accounts/users/user-change.ts'
import { diffFields } from '../../../accounts/users/user-changes.ts'
import type { UserMerge } from '../../../accounts/users/users.models.ts'
import { editUser, editUserEndingSessions } from '../../../accounts/users/write-users.records.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { conflict, invalidRequest } from '../../../kernel/errors/errors.ts'
import { accountsPerUser } from '../../../kernel/limits/connection-limits.ts'
import { linkCleanUpMs } from '../../../kernel/limits/limits.ts'
import { noteChange } from '../../../kernel/table/table-calls.ts'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import type { Services } from '../../../services.ts'
import { accountMoves, mergeObstacles } from '../../account-merges.ts'
import {
  type CompanyAccountRecord,
  findCompanyAccounts,
  isCompanyAccountRevoked,
} from '../../connections/accounts.records.ts'
import { tryRemoveRevokedCredentials } from '../../leaked-credentials/remove-revoked.ts'
import { buildDeletedUserStep } from '../deletion/delete-user.records.ts'
import { buildAdminAccessSteps, buildJoinNotice } from '../rights/admin-access-steps.ts'
import {
  buildNewStart,
  buildNewStartSteps,
  exceedsLimit,
  getLimitedPeriod,
  mergeLimits,
} from '../rights/rights-limit.ts'
import type { users } from '../users/users.operations.ts'
import { endMergedUser } from './merge-users.records.ts'
import { moveUserItems } from './move-user-items.ts'

/**
 * Makes one user of two who are the same person. The other user ends with one write, and leads to the kept one. What they
 * had is moved afterwards. Repeating the request continues it.
 */
export const mergeUser: UseCase<typeof users.mergeUser> = async (
  { params, body, principal, context },
  services,
) => {
  const { table, now } = services
  const endsAt = now() + linkCleanUpMs
  const kept = await requireUser(table, params.id)
  const other = body.user === kept.id ? undefined : await findUser(table, body.user)
  const isContinued = other?.isMerged === true && other.successorId === kept.id
  if (!other || (other.successorId !== undefined && !isContinued))
    throw invalidRequest([{ field: 'user', message: 'must be the ID of another user' }])
  if (!isContinued)
    requireShown(body.shown, {
      display_name: getDisplayName(kept),
      other_display_name: getDisplayName(other),
      other_username: other.username,
    })
  const merged = isContinued ? other : await startMerge(services, { kept, other, principal, context })
  const isInTime = () => now() < endsAt
  const items = await moveUserItems({ table, merged, keptId: kept.id, context }, isInTime)
  const counts = new Map(items.counts)
  let isComplete = items.isComplete
  for (const { counts: counted, move } of accountMoves) {
    const elsewhere = await move(services, { from: other.id, to: kept.id, isInTime })
    counts.set(counted, elsewhere.moved)
    isComplete &&= elsewhere.isComplete
  }
  const merge: UserMerge = {
    is_complete: isComplete,
    api_tokens: counts.get('api_tokens') ?? 0,
    company_accounts: counts.get('company_accounts') ?? 0,
    access_links: counts.get('access_links') ?? 0,
  }
  return { status: 200, body: merge }
}

interface Merge {
  readonly kept: UserRecord
  readonly other: UserRecord
  readonly principal: Principal
  readonly context: RequestContext
}

/** Returns what remains of the other user. */
const startMerge = async (
  services: Services,
  { kept, other, principal, context }: Merge,
): Promise<UserRecord> => {
  const { table, now, config } = services
  if (other.id === principal.user.id) throw conflict('You cannot merge away the user who you are.')
  const accounts = await requireMergeable(services, kept, other)
  const found = await findGroups(table, other.groups)
  const limits = await planLimits(services, kept, other)
  const { moved, withoutGroups } = divideAccounts(accounts, {
    ...other,
    ...omitUndefined({ revokedCredentials: limits.revokedCredentials }),
  })
  const joined = found.filter(({ id }) => !kept.groups.includes(id) && !withoutGroups.has(id))
  const groups = [...kept.groups, ...joined.map(({ id }) => id)]
  const edit = limits.isNewStart ? editUserEndingSessions : editUser
  const changes: UserChanges = limits.isNewStart
    ? { ...limits.changes, groups }
    : diffFields<FieldChanges>(kept, { rightsLimit: limits.changes.rightsLimit, groups })
  // The kept user joins the groups first, because they can be too many for one transaction.
  const member =
    Object.keys(changes).length === 0
      ? kept
      : await edit(table, kept, changes, {
          extraSteps: [
            ...(joined.length === 0
              ? []
              : changeSteps(context, 'user.changed', {
                  user: kept.id,
                  change: toUserChange(kept, { groups }),
                })),
            ...buildJoinNotice(context, kept.username, joined),
            ...(limits.isNewStart ? buildNewStartSteps(services, context, kept, changes) : []),
          ],
        })
  if (member !== kept) noteChange()
  if (limits.isNewStart) await tryRemoveRevokedCredentials(services, member, context)
  const notices =
    moved.length === 0
      ? []
      : [
          ...buildSecurityNoticeStep(services, context, member, { kind: 'company_account_linked' }),
          ...(await buildSignInSetSteps(services, context, member)),
        ]
  return endMergedUser(table, member, other, {
    revokedCredentials: limits.revokedCredentials,
    extraSteps: [
      buildDeletedUserStep(other, now() + config.auditRetentionMs),
      auditStep(context, 'user.merged', { user: kept.id, target: `${other.id} ${other.username}` }),
      auditStep(context, 'user.deleted', { user: other.id, target: `merged ${kept.id}` }),
      ...buildAdminAccessSteps(context, other.permissions, [], { user: other.id, name: other.username }),
      ...notices,
    ],
  })
}

interface MergedLimits {
  /** How the kept user changes. */
  readonly changes: UserChanges
  /** Whether the kept user starts anew. */
  readonly isNewStart: boolean
  /** Credentials of the other user from this period do not move. */
  readonly revokedCredentials: RevokedPeriod | undefined
}

/**
 * Someone with fewer rights may be able to sign in as one of the two. If both together have more, all that this person can
 * know ends. Otherwise the kept user is limited like both.
 */
const planLimits = async (services: Services, kept: UserRecord, other: UserRecord): Promise<MergedLimits> => {
  const both = { permissions: kept.permissions, groups: [...new Set([...kept.groups, ...other.groups])] }
  // The kept user gets the memberships of both.
  const exceeds = async ({ rightsLimit }: UserRecord) =>
    (await exceedsLimit(services.table, { ...both, id: kept.id, rightsLimit })) ||
    (await exceedsLimit(services.table, { ...both, id: other.id, rightsLimit }))
  const [isNewStart, endsOther] = [await exceeds(kept), await exceeds(other)]
  const rightsLimit = mergeLimits(
    isNewStart ? undefined : kept.rightsLimit,
    endsOther ? undefined : other.rightsLimit,
  )
  return {
    changes: {
      ...(isNewStart && kept.rightsLimit ? buildNewStart(services, kept, kept.rightsLimit) : {}),
      rightsLimit,
    },
    isNewStart,
    revokedCredentials:
      endsOther && other.rightsLimit
        ? buildRevokeCredentialsChange(other, getLimitedPeriod(services, other.rightsLimit))
            .revokedCredentials
        : undefined,
  }
}

/** The accounts that move, and the groups that the other user is in because of those that do not. */
const divideAccounts = (accounts: readonly CompanyAccountRecord[], other: UserRecord) => {
  const isRevoked = (account: CompanyAccountRecord) => isCompanyAccountRevoked({ ...account, user: other })
  const moved = accounts.filter((account) => !isRevoked(account))
  const kept = new Set(moved.flatMap(({ groups }) => groups))
  const lost = accounts.filter(isRevoked).flatMap(({ groups }) => groups)
  return { moved, withoutGroups: new Set(lost.filter((id) => !kept.has(id))) }
}

/**
 * Returns the accounts of the other user at identity providers.
 *
 * @throws AppError `conflict` if one of the two is a guest or a service account, or the kept user would have too much
 */
const requireMergeable = async (
  { table }: Services,
  kept: UserRecord,
  other: UserRecord,
): Promise<readonly CompanyAccountRecord[]> => {
  const both = [kept, other]
  if (both.some(isGuestUser)) throw conflict('A guest of an access link has no account.')
  // The user who remains could be an administrator, and have the API token of the program.
  if (both.some(({ isProgram }) => isProgram)) throw conflict('A service account cannot be merged.')
  const [accounts, obstacles] = await Promise.all([
    Promise.all(both.map((user) => findCompanyAccounts(table, user))),
    Promise.all(mergeObstacles.map((find) => find(table, [kept, other]))),
  ])
  if (accounts.flat().length > accountsPerUser)
    throw conflict(`A user has at most ${accountsPerUser} accounts at identity providers. Remove some first.`)
  const obstacle = obstacles.find((found) => found !== undefined)
  if (obstacle) throw conflict(obstacle)
  return accounts[1] ?? []
}
