import { requireManageableToken } from '../../lib/accounts/access-token-rights.ts'
import { isStillNobody } from '../../lib/accounts/guests.ts'
import { recorded, type Visitor } from '../../lib/accounts/visitor.ts'
import type { accessTokens } from '../../lib/contract/operations/access-tokens.ts'
import { conflict } from '../../lib/core/errors.ts'
import { sessionsPerList } from '../../lib/core/limits.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import type { Services } from '../../lib/services.ts'
import { type AccessTokenRecord, accessTokenDeletion } from '../../lib/store/access-tokens.ts'
import { clearLeftovers, deleteUser } from '../../lib/store/delete-user.ts'
import { goneUserStep } from '../../lib/store/gone-users.ts'
import { sessionKey } from '../../lib/store/keys.ts'
import { ConditionFailed, EditConflict } from '../../lib/store/outcomes.ts'
import { findSessions } from '../../lib/store/sessions.ts'
import type { Table } from '../../lib/store/table.ts'
import { clearActivities } from '../../lib/store/token-activities.ts'
import { findUser } from '../../lib/store/users.ts'

/**
 * Deletes a token. From that write on, its link, the sessions that it opened and their tickets are dead, since each
 * of them asks for it; so is the guest that was made for it alone. What is left lying is cleared away after.
 */
export const deleteAccessToken: UseCase<typeof accessTokens.deleteAccessToken> = async (
  { params, principal, visitor },
  services,
) => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Somebody who deletes it at the same moment makes this one a 404.
    const token = await requireManageableToken(services, principal, params.id)
    const outcome = await attemptToDelete(services, token, visitor)
    if (outcome === 'lost') continue
    await clearAway(services.table, token)
    if (outcome === 'with guest') await clearLeftovers(services.table, token.user)
    return { status: 204 }
  }
  throw conflict('The token, or its guest, changed again and again meanwhile. Try once more.')
}

const attempts = 5

const attemptToDelete = async (
  { table, now }: Services,
  token: AccessTokenRecord,
  visitor: Visitor,
): Promise<'alone' | 'with guest' | 'lost'> => {
  const guest = token.isAnonymous ? await findUser(table, token.user) : undefined
  const record = recorded(visitor, 'access_token.deleted', { user: token.user, target: String(token.id) })
  const steps = [...accessTokenDeletion(token), record]
  try {
    if (!guest || !isStillNobody(guest)) {
      await table.transact(steps)
      return 'alone'
    }
    await deleteUser(table, guest, [
      ...steps,
      goneUserStep(guest, now()),
      recorded(visitor, 'user.deleted', { user: guest.id }),
    ])
    return 'with guest'
  } catch (error) {
    if (error instanceof ConditionFailed || error instanceof EditConflict) return 'lost'
    throw error
  }
}

/** Nothing of this is good for anything any more. */
const clearAway = async (table: Table, token: AccessTokenRecord): Promise<void> => {
  await clearActivities(table, token.id)
  const sessions = await findSessions(table, token.user, sessionsPerList)
  const ended = sessions.filter(({ accessToken }) => accessToken?.id === token.id)
  for (let at = 0; at < ended.length; at += stepsAtOnce)
    await table.transact(
      ended.slice(at, at + stepsAtOnce).map(({ userId, hash }) => ({ delete: sessionKey(userId, hash) })),
    )
}

const stepsAtOnce = 100
