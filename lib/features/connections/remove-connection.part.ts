import type { Principal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep, thingSteps } from '../../accounts/events/write-event.ts'
import { conflict, notFound } from '../../kernel/errors/errors.ts'
import { providerSignOutMs } from '../../kernel/limits/connection-limits.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { buildUnchangedOrganizationStep, readOrganizations } from '../organizations/records.ts'
import { forgetDirectory } from '../provisioning/forget.records.ts'
import { requireWaysKept } from '../sign-in/ways-to-sign-in.ts'
import { type Ending, endSessionsOfProvider } from './end-sessions.records.ts'
import { cleanUpDeletedConnection } from './flows.records.ts'
import { getProtocol } from './protocols.ts'
import {
  type Connection,
  type ConnectionKind,
  deleteConnection,
  findConnection,
  findConnectionOf,
} from './records.ts'

interface RemoveRequest {
  readonly params: { readonly id: number }
  readonly principal: Pick<Principal, 'kind' | 'user'>
  readonly context: RequestContext
}

/**
 * Deletes a connection of one kind. It stays if nothing else signs the caller in. Sign-in through it stops working with the first write. Then open sign-ins and the sessions
 * that were opened through it end. Repeating the request resumes an interrupted deletion.
 */
export const removeConnection = async <Record extends Connection>(
  { params, principal, context }: RemoveRequest,
  services: Services,
  kind: ConnectionKind<Record>,
): Promise<{ readonly status: 204 }> => {
  const { table } = services
  const found = await findConnection(table, params.id)
  // The sign-ins and sessions of a connection of another kind stay.
  if (found && found.kind !== kind.kind) throw notFound('connection')
  const connection = found && (await findConnectionOf(table, kind, params.id))
  if (connection && principal.kind !== 'configuration')
    await requireWaysKept(services, principal.user, { connectionId: connection.id })
  if (connection)
    await deleteConnection(table, kind, connection, [
      ...thingSteps(context, `${getProtocol(kind).eventPrefix}.deleted`, params.id),
      ...(await keepRequired(table, connection)),
    ])
  const { hadItems, isComplete } = await endConnection(services, params.id, context, {
    isDeletedNow: connection !== undefined,
  })
  if (!isComplete)
    throw conflict(
      'The connection is deleted, but not all of its sessions and people have ended yet. Repeat the request.',
    )
  if (!connection && !hadItems) throw notFound('connection')
  return { status: 204 }
}

/**
 * Deletes a connection whose organization was deleted. Sessions end first, because a connection that is gone is not found again. Returns
 * false if some of them remain.
 */
export const removeAbandonedConnection = async (
  services: Services,
  context: RequestContext,
  id: number,
): Promise<boolean> => {
  const { table } = services
  const { isComplete } = await endSessionsInTime(services, id, context)
  const found = await findConnection(table, id)
  if (!isComplete || !found) return isComplete
  const { stored, eventPrefix } = getProtocol(found)
  const connection = await findConnectionOf(table, stored, id)
  // What the directory sent is deleted before, because a connection that is gone is not found again.
  if (!(await forgetInTime(services, id, context)).isComplete) return false
  if (connection)
    await deleteConnection(table, stored, connection, thingSteps(context, `${eventPrefix}.deleted`, id))
  await removeFlows(services, id, context)
  return true
}

/**
 * Keeps the connection that an organization requires, without which nobody could sign in for it. The steps fail with `EditConflict` if the
 * organization was changed since, which may have required it.
 *
 * @throws AppError `conflict`
 */
const keepRequired = async (
  table: Table,
  { id, organization_id: organizationId }: Connection,
): Promise<readonly Step[]> => {
  const [organization] = organizationId === null ? [] : await readOrganizations(table, [organizationId])
  if (organization?.required_connection === id)
    throw conflict(
      'The organization requires its members to sign in with this connection. Require another one or none first.',
    )
  return organization ? [buildUnchangedOrganizationStep(organization)] : []
}

/** Ends the open sign-ins and the sessions of a connection that was deleted, now or before. */
const endConnection = async (
  services: Services,
  id: number,
  context: RequestContext,
  { isDeletedNow }: { readonly isDeletedNow: boolean },
): Promise<{ readonly hadItems: boolean; readonly isComplete: boolean }> => {
  const hadFlows = await (isDeletedNow
    ? removeFlows(services, id, context)
    : cleanUpDeletedConnection(services.table, id))
  const { ended, isComplete } = await endSessionsInTime(services, id, context)
  const directory = await forgetInTime(services, id, context)
  return {
    hadItems: hadFlows || ended > 0 || directory.hadItems,
    isComplete: isComplete && directory.isComplete,
  }
}

/** Deletes what the directory of a deleted connection sent, and its tokens, for a limited time. They are useless without the connection. */
const forgetInTime = async ({ table, log, now }: Services, id: number, context: RequestContext) => {
  const until = now() + providerSignOutMs
  try {
    return await forgetDirectory(table, id, () => now() < until)
  } catch (error) {
    log.error('connection.not_cleared', { request_id: context.requestId, provider: id, error })
    return { hadItems: true, isComplete: false }
  }
}

/** Removes open sign-ins. Without the provider they are useless, so a failure is only logged. They expire anyway. */
const removeFlows = async (
  { table, log }: Services,
  providerId: number,
  context: RequestContext,
): Promise<boolean> => {
  try {
    return await cleanUpDeletedConnection(table, providerId)
  } catch (error) {
    log.error('connection.not_cleared', { request_id: context.requestId, provider: providerId, error })
    return false
  }
}

/**
 * Ends the sessions of a provider that was deleted or stopped. They would work without it, so a failed attempt is repeated once. The
 * result says whether all sessions have ended.
 */
export const endSessionsInTime = async (
  { table, log, now }: Services,
  providerId: number,
  context: RequestContext,
  { isStopped }: { readonly isStopped: boolean } = { isStopped: false },
): Promise<Ending> => {
  const until = now() + providerSignOutMs
  for (let attempt = 0; attempt < 2; attempt++)
    try {
      return await endSessionsOfProvider(table, providerId, {
        nowMs: now(),
        isStopped,
        extraSteps: ({ userId, id }) => [
          auditStep(context, 'session.ended', { user: userId, target: String(id) }),
        ],
        mayContinue: () => now() < until,
      })
    } catch (error) {
      log.error('connection.sessions_not_ended', {
        request_id: context.requestId,
        provider: providerId,
        error,
      })
    }
  return { ended: 0, isComplete: false }
}
