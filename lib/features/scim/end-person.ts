import { changeSteps } from '../../accounts/events/change-event.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { endSession } from '../../accounts/sessions/end-sessions.records.ts'
import { readSessionPages } from '../../accounts/sessions/find-sessions.records.ts'
import type { SessionRecord } from '../../accounts/sessions/stored-session.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import { toUserChange } from '../../accounts/users/user-change.ts'
import { ConflictError } from '../../kernel/errors/errors.ts'
import { linkCleanUpMs } from '../../kernel/limits/limits.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { syncDirectoryGroups } from '../connections/directory-groups.ts'
import { chooseKinds, endRest, writeEnd } from '../leavers/end-everything.ts'
import { auditMembership } from '../organizations/audit-membership.ts'
import {
  buildReturnStep,
  endMembership,
  findMembership,
  listOwnRoles,
} from '../organizations/memberships.records.ts'
import type { ScimEnd, ScimUserRecord } from '../provisioning/users.records.ts'
import { findOwnerId } from './find-owner.ts'
import { noteKeptOwner } from './leaver-notices.ts'
import { planServiceEnd } from './plan-end.ts'
import { auditScim, type ScimContext } from './scim-context.ts'

/*
 * What ends when a person leaves the directory. The record of the person is inactive by then, so that nobody signs in as them through the
 * connection any more.
 */

/** What has ended, for the record of the person. */
export interface EndedPerson extends Pick<ScimEnd, 'hasDisabledUser' | 'roles'> {
  /** Whether they are the last owner of the organization, whose membership stays. */
  readonly isLastOwner?: true
}

const keptChanging = 'The account kept changing. Send the request again.'

/**
 * Ends what a person has here. Doing it again ends what is left.
 *
 * @throws ConflictError `last_admin`
 * @throws AppError `conflict` if the records kept changing
 */
export const endPerson = async (scim: ScimContext, person: ScimUserRecord): Promise<EndedPerson> => {
  const userId = await findOwnerId(scim, person)
  const user = userId === undefined ? undefined : await findUser(scim.services.table, userId)
  if (!user) return {}
  const { organization_id: organizationId } = scim.caller.connection
  return organizationId === null
    ? endInService(scim, person, user)
    : endInOrganization(scim, person, user, organizationId)
}

/** Ends the membership, and with it what the member made there: see `isInJoining`. */
const endInOrganization = async (
  scim: ScimContext,
  person: ScimUserRecord,
  user: UserRecord,
  organizationId: number,
): Promise<EndedPerson> => {
  const { services, context } = scim
  const { table } = services
  const end = () =>
    retryConflicts(async (): Promise<EndedPerson> => {
      const membership = await findMembership(table, { userId: user.id, organizationId })
      if (!membership) return {}
      await endMembership(table, membership, {
        keepsOwner: true,
        extraSteps: [
          buildReturnStep(membership, { isKeptOut: false }),
          auditMembership(context, { before: membership }),
        ],
      })
      return { roles: listOwnRoles(membership) }
    }, keptChanging)
  const ended = await end().catch(async (error: unknown): Promise<EndedPerson> => {
    if (!(error instanceof ConflictError && error.kind === 'last_owner')) throw error
    await endMadeThere(scim, user, organizationId)
    await table.transact([auditScim(scim, 'scim.owner_kept', person.id, user.id)])
    await noteKeptOwner(scim, user)
    return { isLastOwner: true }
  })
  await endSessions(scim, user.id, (session) =>
    (session.organizationProofs ?? []).some(({ organization }) => organization === organizationId),
  )
  return ended
}

/** Ends what a member made in the organization whose membership stays. Otherwise it ends with the membership. */
const endMadeThere = async (
  { services, context }: ScimContext,
  user: UserRecord,
  organizationId: number,
): Promise<void> => {
  // Loaded on demand, because this is rare.
  const { endMadeInOrganization } = await import('../leavers/end-in-organization.ts')
  await endMadeInOrganization(services, user, organizationId, context)
}

const endInService = async (
  scim: ScimContext,
  person: ScimUserRecord,
  given: UserRecord,
): Promise<EndedPerson> => {
  const { services, context } = scim
  const provider = scim.caller.connection
  const user = await syncDirectoryGroups({ services, provider, context }, person, given)
  const endsAt = services.now() + linkCleanUpMs
  const ended = await retryConflicts(async () => {
    const current = (await findUser(services.table, user.id)) ?? user
    const plan = await planServiceEnd(scim, person, current)
    if (!plan) return undefined
    const { endsPassword, disables } = plan
    const chosen = chooseKinds({ password: endsPassword, passkey: endsPassword })
    const change = { is_enabled: false }
    const { edited: written } = await writeEnd(
      services,
      current,
      chosen,
      { context, keptApiTokens: [] },
      {
        ...(disables && {
          changes: change,
          steps: changeSteps(context, 'user.changed', {
            user: current.id,
            change: toUserChange(current, change),
          }),
        }),
      },
    )
    return { edited: written, kinds: chosen, hasDisabled: disables }
  }, keptChanging)
  if (!ended) {
    await endSessionsOfConnection(scim, user.id)
    return {}
  }
  const { edited, kinds, hasDisabled } = ended
  await endRest(services, edited, kinds, context, () => services.now() < endsAt)
  return hasDisabled ? { hasDisabledUser: true } : {}
}

const endSessionsOfConnection = (scim: ScimContext, userId: number): Promise<void> => {
  const { id } = scim.caller.connection
  return endSessions(
    scim,
    userId,
    ({ providerSubject, carriedSubjects = [], authentication }) =>
      providerSubject?.providerId === id ||
      authentication.connection === id ||
      carriedSubjects.some(({ providerId }) => providerId === id),
  )
}

const endSessions = async (
  { services: { table }, context }: ScimContext,
  userId: number,
  isEnding: (session: SessionRecord) => boolean,
): Promise<void> => {
  for await (const sessions of readSessionPages(table, userId))
    for (const session of sessions.filter(isEnding))
      await endSession(table, session, [
        auditStep(context, 'session.ended', { user: userId, target: String(session.id) }),
      ])
}
