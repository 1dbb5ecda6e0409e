import { isAbsent } from '../../../kernel/table/expressions.ts'
import { createCodec, findRecord } from '../../../kernel/table/records.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { type OrElse, type Step, wasCommitted } from '../../../kernel/table/transaction.ts'
import { toSeconds } from '../../../kernel/util/time.ts'
import { getFlowKey } from '../flows.records.ts'

/** A logout token, or a notification, that arrived. */
interface ReceivedLogout {
  /** Epoch milliseconds. */
  readonly receivedAt: number
}

const receivedLogoutCodec = createCodec<ReceivedLogout>('logout token', { receivedAt: 'number' })

/** A token of an identity provider that arrives, and what counts about its time. */
interface Arrival {
  readonly connectionId: number
  readonly jti: string
  readonly nowMs: number
  /** When a repetition is too old to be accepted. */
  readonly untilMs: number
}

const keyOf = ({ connectionId, jti }: Pick<Arrival, 'connectionId' | 'jti'>) =>
  getFlowKey(connectionId, 'logout-token', jti)

const buildItem = (arrival: Arrival) => ({
  ...keyOf(arrival),
  ...receivedLogoutCodec.encode({ receivedAt: arrival.nowMs }),
  expires_at: toSeconds(arrival.untilMs),
})

/** Notes that a logout token arrived, and returns when it first did: now, unless it is a repetition. */
export const noteLogoutToken = async (table: Table, arrival: Arrival): Promise<number> =>
  (await wasCommitted(table.reserve(buildItem(arrival)))) ? arrival.nowMs : findFirstArrival(table, arrival)

/** Builds the step that notes that a notification arrived. It fails for a repetition. */
export const buildArrivalStep = (arrival: Arrival, orElse: OrElse): Step => ({
  put: buildItem(arrival),
  condition: isAbsent,
  orElse,
})

/** When a token first arrived, in epoch milliseconds. Now, if that is not known any more. */
export const findFirstArrival = async (table: Table, arrival: Arrival): Promise<number> =>
  (await findRecord(table, receivedLogoutCodec, keyOf(arrival)))?.receivedAt ?? arrival.nowMs
