import { createCodec, findRecord } from '../../../kernel/table/records.ts'
import type { Table } from '../../../kernel/table/table.ts'
import { wasCommitted } from '../../../kernel/table/transaction.ts'
import { toSeconds } from '../../../kernel/util/time.ts'
import { getFlowKey } from '../flows.records.ts'

/** A logout token that arrived. */
interface ReceivedLogout {
  /** Epoch milliseconds. */
  readonly receivedAt: number
}

const receivedLogoutCodec = createCodec<ReceivedLogout>('logout token', { receivedAt: 'number' })

/** Notes that a logout token arrived, and returns when it first did: now, unless it is a repetition. */
export const noteLogoutToken = async (
  table: Table,
  connectionId: number,
  jti: string,
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<number> => {
  const key = getFlowKey(connectionId, 'logout-token', jti)
  const item = {
    ...key,
    ...receivedLogoutCodec.encode({ receivedAt: nowMs }),
    expires_at: toSeconds(untilMs),
  }
  if (await wasCommitted(table.reserve(item))) return nowMs
  return (await findRecord(table, receivedLogoutCodec, key))?.receivedAt ?? nowMs
}
