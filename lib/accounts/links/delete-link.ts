import { linkCleanUpMs, sessionsPerList } from '../../core/limits.ts'
import type { Services } from '../../services.ts'
import { cleanUpDeletedUser, deleteUser } from '../../store/directory/delete-user.ts'
import { buildDeletedUserStep } from '../../store/directory/deleted-users.ts'
import { findUser } from '../../store/directory/users.ts'
import { idsOf, type Listing, readPlaces } from '../../store/engine/listing.ts'
import type { Table } from '../../store/engine/table.ts'
import { ConditionFailed, EditConflict } from '../../store/engine/transaction-errors.ts'
import { buildAccessTokenDeletion, findAccessTokens } from '../../store/links/access-tokens.ts'
import { clearActivities } from '../../store/links/token-activities.ts'
import { tokenLists } from '../../store/links/token-index.ts'
import type { AccessTokenRecord } from '../../store/records/access-token-record.ts'
import { deleteSessions, findSessions } from '../../store/sign-in/sessions.ts'
import { auditStep, type RequestContext } from '../common/request-context.ts'
import { isUnclaimedGuest } from './guests.ts'

/*
 * A link ends with one write: from then on its value, the sessions that it opened and their tickets are dead, since each
 * of them asks for its token; so is the guest that was made for it alone. What is left lying is good for nothing, and is
 * cleared away after. The same goes for the links of a user who is deleted: they are dead with that.
 */

/**
 * Deletes a token as it was read, with all that came of it; false when it, or its guest, was changed or deleted since.
 * A fault of the clearing away is logged alone: the link is deleted by then, and whoever asked is told so.
 */
export const deleteLink = async (
  services: Services,
  token: AccessTokenRecord,
  context: RequestContext,
): Promise<boolean> => deleteBefore(services, token, context, services.now() + linkCleanUpMs)

/**
 * Clears away the links that a user who is gone has made or was given, as many as a few seconds allow, and returns
 * whether there were any. They are dead in any case: what is left goes when this is called again.
 */
export const deleteLinksOf = (
  services: Services,
  userId: number,
  context: RequestContext,
): Promise<boolean> => deleteAllBefore(services, userId, context, services.now() + linkCleanUpMs)

const deleteBefore = async (
  services: Services,
  token: AccessTokenRecord,
  context: RequestContext,
  until: number,
): Promise<boolean> => {
  const outcome = await attemptToDelete(services, token, context)
  if (outcome === 'lost') return false
  try {
    await clearAway(services.table, token)
    if (outcome === 'with guest') {
      await cleanUpDeletedUser(services.table, token.user)
      // Others may have been made for the same guest.
      await deleteAllBefore(services, token.user, context, until)
    }
  } catch (error) {
    services.log.error('access_link.not_cleared', { request_id: context.requestId, link: token.id, error })
  }
  return true
}

const attemptToDelete = async (
  { table, now }: Services,
  token: AccessTokenRecord,
  context: RequestContext,
): Promise<'alone' | 'with guest' | 'lost'> => {
  const guest = token.isAnonymous ? await findUser(table, token.user) : undefined
  const record = auditStep(context, 'access_token.deleted', { user: token.user, target: String(token.id) })
  const steps = [...buildAccessTokenDeletion(token), record]
  try {
    if (!guest || !isUnclaimedGuest(guest)) {
      await table.transact(steps)
      return 'alone'
    }
    await deleteUser(table, guest, [
      ...steps,
      buildDeletedUserStep(guest, now()),
      auditStep(context, 'user.deleted', { user: guest.id }),
    ])
    return 'with guest'
  } catch (error) {
    if (error instanceof ConditionFailed || error instanceof EditConflict) return 'lost'
    throw error
  }
}

const clearAway = async (table: Table, token: AccessTokenRecord): Promise<void> => {
  await clearActivities(table, token.id)
  const sessions = await findSessions(table, token.user, sessionsPerList)
  await deleteSessions(
    table,
    sessions.filter(({ accessToken }) => accessToken?.id === token.id),
  )
}

const deleteAllBefore = async (
  services: Services,
  userId: number,
  context: RequestContext,
  until: number,
): Promise<boolean> => {
  let hadAny = false
  for (const listing of [tokenLists.madeBy(userId), tokenLists.madeFor(userId)])
    for await (const tokens of linksIn(services.table, listing)) {
      const own = tokens.filter(({ createdBy, user }) => createdBy === userId || user === userId)
      hadAny ||= own.length > 0
      for (let at = 0; at < own.length; at += linksAtOnce) {
        if (services.now() >= until) return hadAny
        await settled(
          own.slice(at, at + linksAtOnce).map((token) => deleteBefore(services, token, context, until)),
        )
      }
    }
  return hadAny
}

/** Each of them is a few calls to the table, one after the other. */
const linksAtOnce = 10
const pageSize = 100

/** The tokens in a list, by pages; an entry of the index may outlive its token for a moment. */
async function* linksIn(table: Table, listing: Listing): AsyncGenerator<readonly AccessTokenRecord[]> {
  for (let after: string | undefined; ; ) {
    const places = await readPlaces(table, listing, { after, limit: pageSize, isDescending: false })
    yield (await findAccessTokens(table, idsOf(places))).filter((token) => token !== undefined)
    if (places.length < pageSize) return
    after = places.at(-1)?.place
  }
}

/** Waits for all of them, since what goes on after the answer may stop anywhere; then throws the first fault. */
const settled = async (work: readonly Promise<unknown>[]): Promise<void> => {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
