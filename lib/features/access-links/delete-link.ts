import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { findSessions } from '../../accounts/sessions/find-sessions.records.ts'
import { deleteSessions } from '../../accounts/sessions/write-sessions.records.ts'
import { findUser } from '../../accounts/users/find-users.records.ts'
import { linkCleanUpMs, sessionsPerList } from '../../kernel/limits/limits.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import type { Table } from '../../kernel/table/table.ts'
import { ConditionFailed, EditConflict, type Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { cleanUpDeletedUser } from '../directory/deletion/clean-up-user.ts'
import { buildDeletedUserStep, deleteUser } from '../directory/deletion/delete-user.records.ts'
import { cleanUpDeletedLink } from './activities.records.ts'
import { isUnclaimedGuest } from './guests.ts'
import { linkLists } from './index.records.ts'
import type { AccessLinkRecord } from './link.records.ts'
import { buildAccessLinkDeletion, isUsable } from './records.ts'
import { describeLink, linksIn } from './rules.ts'

/*
 * One write deletes a link. Its value, the sessions that it opened, and their tickets stop working at once, because each
 * of them depends on the access link. An anonymous guest of the link is deleted with it. The remaining items have no
 * effect and are cleaned up afterwards. Likewise, the links of a user stop working when the user is deleted.
 */

/**
 * Deletes a link as it was read. Returns false when the link or its guest was changed or deleted since. A failed cleanup
 * is only logged, because the link is deleted by then. The extra steps are part of the write that deletes the link.
 */
export const deleteLink = async (
  services: Services,
  link: AccessLinkRecord,
  context: RequestContext,
  extraSteps: readonly Step[] = [],
): Promise<boolean> =>
  deleteBefore(services, link, context, { untilMs: services.now() + linkCleanUpMs, extraSteps })

/** Deletes a link, and reads it again after each change in between. Does nothing if it no longer exists. */
export const deleteCurrentLink = (
  services: Services,
  context: RequestContext,
  readLink: () => Promise<AccessLinkRecord | undefined>,
): Promise<void> =>
  retryConflicts(async () => {
    const link = await readLink()
    if (link && !(await deleteLink(services, link, context))) throw new EditConflict()
  }, 'The link was modified concurrently. Try again.')

/** Deletes the links of a user that still work, while there is time. */
export const deleteWorkingLinks = async (
  services: Services,
  userId: number,
  context: RequestContext,
  isInTime: () => boolean,
): Promise<void> => {
  for await (const links of linksIn(services.table, linkLists.madeBy(userId))) {
    const working = links.filter((link) => link.createdBy === userId && isUsable(link, services.now()))
    for (let at = 0; at < working.length; at += linksAtOnce) {
      if (!isInTime()) return
      const some = working.slice(at, at + linksAtOnce)
      await waitForAll(some.map((link) => deleteLink(services, link, context)))
    }
  }
}

/**
 * Deletes the links that a deleted user created or received, for at most `linkSweepMs`. Returns whether there were any.
 * None of these links works any more. Another call deletes those that remain.
 */
export const deleteLinksOf = (
  services: Services,
  userId: number,
  context: RequestContext,
): Promise<boolean> => deleteAllBefore(services, userId, context, services.now() + linkCleanUpMs)

const deleteBefore = async (
  services: Services,
  link: AccessLinkRecord,
  context: RequestContext,
  { untilMs, extraSteps }: { readonly untilMs: number; readonly extraSteps: readonly Step[] },
): Promise<boolean> => {
  const outcome = await attemptToDelete(services, link, context, extraSteps)
  if (outcome === 'lost') return false
  try {
    await cleanUp(services.table, link)
    if (outcome === 'with guest') {
      await cleanUpDeletedUser(services.table, link.user, context)
      // The guest may have received further links.
      await deleteAllBefore(services, link.user, context, untilMs)
    }
  } catch (error) {
    services.log.error('access_link.not_cleared', { request_id: context.requestId, link: link.id, error })
  }
  return true
}

const attemptToDelete = async (
  { table, config, now }: Services,
  link: AccessLinkRecord,
  context: RequestContext,
  extraSteps: readonly Step[],
): Promise<'alone' | 'with guest' | 'lost'> => {
  const guest = link.isAnonymous ? await findUser(table, link.user) : undefined
  const record = auditStep(context, 'access_token.deleted', describeLink(link))
  const steps = [...buildAccessLinkDeletion(link), record, ...extraSteps]
  try {
    if (!guest || !isUnclaimedGuest(guest)) {
      await table.transact(steps)
      return 'alone'
    }
    await deleteUser(table, guest, [
      ...steps,
      buildDeletedUserStep(guest, now() + config.auditRetentionMs),
      auditStep(context, 'user.deleted', { user: guest.id }),
    ])
    return 'with guest'
  } catch (error) {
    if (error instanceof ConditionFailed || error instanceof EditConflict) return 'lost'
    throw error
  }
}

const cleanUp = async (table: Table, link: AccessLinkRecord): Promise<void> => {
  await cleanUpDeletedLink(table, link.id)
  await endLinkSessions(table, link)
}

/** Ends the sessions that a link opened. */
export const endLinkSessions = async (table: Table, link: AccessLinkRecord): Promise<void> => {
  const sessions = await findSessions(table, link.user, sessionsPerList)
  await deleteSessions(
    table,
    sessions.filter(({ accessLink }) => accessLink?.id === link.id),
  )
}

const deleteAllBefore = async (
  services: Services,
  userId: number,
  context: RequestContext,
  untilMs: number,
): Promise<boolean> => {
  let hadAny = false
  for (const listing of [linkLists.madeBy(userId), linkLists.madeFor(userId)])
    for await (const links of linksIn(services.table, listing)) {
      const own = links.filter(({ createdBy, user }) => createdBy === userId || user === userId)
      hadAny ||= own.length > 0
      for (let at = 0; at < own.length; at += linksAtOnce) {
        if (services.now() >= untilMs) return hadAny
        await waitForAll(
          own
            .slice(at, at + linksAtOnce)
            .map((link) => deleteBefore(services, link, context, { untilMs, extraSteps: [] })),
        )
      }
    }
  return hadAny
}

/** Each deletion takes a few sequential table calls. */
const linksAtOnce = 10

/** Waits for all, because work that continues after the response may stop at any point. Then throws the first error. */
const waitForAll = async (work: readonly Promise<unknown>[]): Promise<void> => {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
