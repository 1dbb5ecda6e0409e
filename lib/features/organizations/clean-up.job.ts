import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { getIds, readEntryPages } from '../../kernel/table/listing.ts'
import type { Services } from '../../services.ts'
import { auditMembership } from './audit-membership.ts'
import { forgetCleanUp, readDueCleanUps } from './ending.records.ts'
import {
  buildEndInvitationSteps,
  getInvitationsListing,
  readOrganizationInvitations,
} from './invitations.records.ts'
import { endMembership, getMembersListing, readMemberships } from './memberships.records.ts'
import { deleteOrganizationToken, listOrganizationTokens } from './tokens.records.ts'

/*
 * What belongs to an organization means nothing from the write on that deletes it. This ends all of it afterwards: its connections with
 * their sessions and domains, its API tokens, invitations and memberships. If it is interrupted, the next run continues.
 */

interface CleanUpSummary {
  /** Organizations of which nothing is left. */
  readonly cleared: number
  /** Those of which something is left for the next run. */
  readonly kept: number
}

interface CleanUp {
  readonly services: Services
  readonly context: RequestContext
  readonly organizationId: number
  readonly hasTime: () => boolean
}

/** Ends what belongs to deleted organizations. One that cannot be cleared does not affect the others. */
export const cleanUpDeletedOrganizations = async (
  services: Services,
  context: RequestContext,
  hasTime: () => boolean,
): Promise<CleanUpSummary> => {
  let [cleared, kept] = [0, 0]
  for await (const due of readDueCleanUps(services.table, services.now())) {
    if (!hasTime()) break
    const organizationId = due.id
    const run = { services, organizationId, hasTime, context: { ...context, organization: organizationId } }
    try {
      const isComplete = await cleanUp(run)
      if (isComplete) await forgetCleanUp(services.table, due)
      if (isComplete) cleared++
      else kept++
    } catch (error) {
      services.log.error('organization.not_cleared', { organization: organizationId, error })
      kept++
    }
  }
  return { cleared, kept }
}

const cleanUp = async (run: CleanUp): Promise<boolean> =>
  (await endConnections(run)) &&
  (await endTokens(run)) &&
  (await endInvitations(run)) &&
  (await endMemberships(run)) &&
  (await deleteWords(run))

/** Its domains are then free for others. */
const endConnections = async ({ services, context, organizationId, hasTime }: CleanUp): Promise<boolean> => {
  const [{ listConnectionIds }, { removeAbandonedConnection }] = await Promise.all([
    import('../connections/organization-places.records.ts'),
    import('../connections/remove-connection.part.ts'),
  ])
  for (const id of await listConnectionIds(services.table, organizationId))
    if (!hasTime() || !(await removeAbandonedConnection(services, context, id))) return false
  return true
}

const endTokens = async ({
  services: { table },
  context,
  organizationId,
  hasTime,
}: CleanUp): Promise<boolean> => {
  for (const token of await listOrganizationTokens(table, organizationId)) {
    if (!hasTime()) return false
    const target = `${organizationId} ${token.id}`
    await deleteOrganizationToken(table, token, [
      auditStep(context, 'organization.api_token_deleted', { target }),
    ])
  }
  return true
}

/** The own words of its emails, and what they were before. */
const deleteWords = async ({ services: { table }, organizationId }: CleanUp): Promise<boolean> => {
  const { deleteEmailTexts } = await import('../mail/own-texts/records.ts')
  await deleteEmailTexts(table, { organization: organizationId })
  return true
}

const entriesPerPage = 100

const endInvitations = async ({
  services: { table },
  context,
  organizationId,
  hasTime,
}: CleanUp): Promise<boolean> => {
  const listing = getInvitationsListing(organizationId)
  for await (const entries of readEntryPages(table, listing, entriesPerPage)) {
    const invitations = await readOrganizationInvitations(table, getIds(entries))
    for (const invitation of invitations) {
      if (!invitation) continue
      if (!hasTime()) return false
      const target = `${organizationId} ${invitation.id} ${invitation.roles.join(' ')}`
      await table.transact([
        ...buildEndInvitationSteps(invitation),
        auditStep(context, 'organization.invitation_revoked', { target }),
      ])
    }
  }
  return true
}

const endMemberships = async ({
  services: { table },
  context,
  organizationId,
  hasTime,
}: CleanUp): Promise<boolean> => {
  const listing = getMembersListing(organizationId)
  for await (const entries of readEntryPages(table, listing, entriesPerPage)) {
    const memberships = await readMemberships(table, organizationId, getIds(entries))
    for (const membership of memberships) {
      if (!membership) continue
      if (!hasTime()) return false
      await endMembership(table, membership, {
        keepsOwner: false,
        extraSteps: [auditMembership(context, { before: membership })],
      })
    }
  }
  return true
}
