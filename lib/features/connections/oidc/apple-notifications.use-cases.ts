import { consume } from '../../../accounts/callers/throttle.ts'
import { auditStep } from '../../../accounts/events/write-event.ts'
import type { UseCase } from '../../../http/use-case.ts'
import { AppError, notFound } from '../../../kernel/errors/errors.ts'
import { appleNotificationMaxAgeMs, providerClockSkewMs } from '../../../kernel/limits/connection-limits.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../../kernel/table/transaction.ts'
import { getNetwork } from '../../../kernel/util/network.ts'
import { buildForgetTokenSteps, findCompanyAccount, noteEndAtProvider } from '../accounts.records.ts'
import { getConnectionTarget } from '../connection-context.ts'
import type { connectionFlow } from '../flow.operations.ts'
import { nameAccounts } from '../public-providers.models.ts'
import { findConnectionOf } from '../records.ts'
import { endSessionsUntil } from './logout.use-cases.ts'
import { buildArrivalStep, findFirstArrival } from './logout-tokens.records.ts'
import { getProviderRow } from './providers/rows.ts'
import { oidcKind } from './records.ts'

/**
 * Does what Apple reports about an account there. The answer never says whether somebody here has it. A repetition writes no audit event
 * and forgets nothing: it only ends sessions that the first one missed.
 */
export const receiveAppleNotification: UseCase<typeof connectionFlow.receiveAppleNotification> = async (
  { params, body, context },
  services,
) => {
  const { table, now } = services
  const connection = await findConnectionOf(table, oidcKind, params.id)
  if (!connection || !getProviderRow(connection).sendsAppleNotifications) throw notFound('connection')
  // Each token can cost a fetch and a signature.
  await consume(services, 'upstreamLogouts', getNetwork(context.address))
  // Loaded on demand, because a sign-in with SAML needs none of it.
  const { readAppleNotification } = await import('./apple-notification.ts')
  const notice = await readAppleNotification(services, connection, body.payload)
  if (!notice) {
    services.log.warn('oidc_connection.notification_refused', { connection: connection.id })
    throw new AppError('invalid_token')
  }
  const { change, sub, jti, issuedAt } = notice
  const name = { providerId: connection.id, attribute: nameAccounts(connection), value: sub }
  const { account } = await findCompanyAccount(table, name)
  if (!change) services.log.warn('oidc_connection.notification_unknown', { connection: connection.id })
  if (!change || !account) return { status: 200, body: {} }
  const arrival = {
    ...{ connectionId: connection.id, jti: `apple ${jti}`, nowMs: now() },
    untilMs: issuedAt + appleNotificationMaxAgeMs + 2 * providerClockSkewMs,
  }
  const endsConsent = change === 'consent_revoked' || change === 'account_deleted'
  const isNew = await noteOnce(table, arrival, ({ forgetsToken }) => [
    ...(endsConsent && forgetsToken ? buildForgetTokenSteps(account) : []),
    auditStep(context, 'company_account.notified', {
      user: account.user.id,
      target: `${getConnectionTarget(connection)} ${change}`,
    }),
  ])
  // Repeating it changes nothing.
  if (change === 'account_deleted') await noteEndAtProvider(table, account, issuedAt)
  const receivedAt = isNew ? arrival.nowMs : await findFirstArrival(table, arrival)
  if (endsConsent)
    await endSessionsUntil(services, context, {
      ...{ providerId: connection.id, nameId: sub, sessionIndexes: [], issuedAt },
      // The clock of Apple may be behind.
      latest: Math.min(issuedAt + providerClockSkewMs, receivedAt),
    })
  return { status: 200, body: {} }
}

/** The notification arrived before. */
class Repeated extends Error {}

interface NoteOptions {
  /** Whether the token of the account is deleted, if the user ended their consent. */
  readonly forgetsToken: boolean
}

/**
 * Does what a notification leads to once, in one transaction with the note that it arrived. Returns whether it was new. A sign-in at the
 * same time can have stored a newer token, which stays.
 */
const noteOnce = async (
  table: Table,
  arrival: Parameters<typeof buildArrivalStep>[0],
  buildSteps: (options: NoteOptions) => readonly Step[],
): Promise<boolean> => {
  const write = (options: NoteOptions) =>
    table.transact([buildArrivalStep(arrival, () => new Repeated()), ...buildSteps(options)])
  try {
    await write({ forgetsToken: true }).catch((error: unknown) => {
      if (error instanceof EditConflict) return write({ forgetsToken: false })
      throw error
    })
    return true
  } catch (error) {
    if (error instanceof Repeated) return false
    throw error
  }
}
