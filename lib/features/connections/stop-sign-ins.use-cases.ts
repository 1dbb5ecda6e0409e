import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import type { UseCase } from '../../http/use-case.ts'
import { conflict } from '../../kernel/errors/errors.ts'
import { providerSignOutMs } from '../../kernel/limits/connection-limits.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import { readOrganizationPolicy } from '../organizations/policy.records.ts'
import type { connections } from './operations.ts'
import { protocols } from './protocols.ts'
import {
  type Connection,
  type ConnectionKind,
  editConnectionOf,
  findConnectionOf,
  readConnectionPages,
} from './records.ts'
import { endSessionsInTime } from './remove-connection.part.ts'

const connectionsPerPage = 50

/**
 * Counts the connections that organizations brought, and stops those that are live: they wait for an approval, and their sessions end.
 * A connection whose sessions have not all ended is taken up again by the next request.
 */
export const stopOrganizationSignIns: UseCase<typeof connections.stopOrganizationSignIns> = async (
  { body: { dry_run: isDryRun = false }, context },
  services,
) => {
  const { table, now } = services
  if (!isDryRun && (await readOrganizationPolicy(table)).company_sign_in !== 'never')
    throw conflict('Organizations may bring their company sign-in. Set company_sign_in to never first.')
  const until = now() + providerSignOutMs
  const result = { live: 0, stopped: 0, is_complete: true }
  for (const { stored } of protocols.values())
    for await (const page of readConnectionPages(table, stored, connectionsPerPage))
      for (const connection of page.filter(isRunning)) {
        if (now() >= until) return { status: 200, body: { ...result, is_complete: false } }
        const isStopped = !isDryRun && (await stop(services, context, stored, connection.id))
        if (isStopped) result.stopped++
        else if (connection.setup?.stopped !== 'ending') result.live++
        if (!isStopped && !isDryRun) result.is_complete = false
      }
  return { status: 200, body: result }
}

/** Whether sign-ins with a connection, or sessions of it, go on. */
const isRunning = ({ isFromOrganization, setup }: Connection): boolean =>
  isFromOrganization === true && (!setup || setup.stopped === 'ending')

/** Returns false if not all sessions have ended, or if the connection was changed at the same time. */
const stop = async (
  services: Services,
  context: RequestContext,
  kind: ConnectionKind<Connection>,
  id: number,
): Promise<boolean> => {
  const { table } = services
  const edit = async (stopped: 'ending' | 'ended'): Promise<boolean> => {
    // As it is now, because what was listed may have been approved or deleted since.
    const connection = await findConnectionOf(table, kind, id)
    if (!connection || !isRunning(connection)) return true
    const setup = { link: null, awaitsApproval: true, stopped } as const
    const { organization_id: organization } = connection
    const event = { target: String(id), ...(organization !== null && { organization }) }
    const steps = connection.setup ? [] : [auditStep(context, 'connection.stopped', event)]
    await editConnectionOf(table, kind, connection, { setup }, steps)
    return true
  }
  try {
    await edit('ending')
    const { isComplete } = await endSessionsInTime(services, id, context, { isStopped: true })
    return isComplete && (await edit('ended'))
  } catch (error) {
    if (error instanceof EditConflict) return false
    throw error
  }
}
