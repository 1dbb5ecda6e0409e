import { toSeconds } from '../../core/durations.ts'
import { isPresent, type Update } from '../engine/expressions.ts'
import { oidcInteractionKey } from '../engine/oidc-keys.ts'
import { findRecord } from '../engine/read-records.ts'
import type { Table } from '../engine/table.ts'
import { wasCommitted } from '../engine/transaction-errors.ts'
import { type OidcInteractionRecord, oidcInteractionCodec } from '../records/oidc-token-record.ts'
import { hashOidcValue } from './tokens.ts'

export const storeOidcInteraction = (
  table: Table,
  uid: string,
  interaction: OidcInteractionRecord,
): Promise<void> =>
  table.put({
    ...oidcInteractionKey(hashOidcValue(uid)),
    ...interaction,
    expires_at: toSeconds(interaction.expiresAt),
    ...oidcInteractionCodec.stamp,
  })

/** Finds an interaction that was not completed and has not expired. */
export const findOidcInteraction = async (
  table: Table,
  uid: string,
  nowMs: number,
): Promise<OidcInteractionRecord | undefined> => {
  const found = await findRecord(table, oidcInteractionCodec, oidcInteractionKey(hashOidcValue(uid)))
  return found && nowMs < found.expiresAt ? found : undefined
}

/** Completes an interaction. Of any number of concurrent callers, one gets true. */
export const completeOidcInteraction = (table: Table, uid: string): Promise<boolean> =>
  wasCommitted(table.transact([{ delete: oidcInteractionKey(hashOidcValue(uid)), condition: isPresent }]))

/** Counts that the browser was sent back to the sign-in page. Returns false if it was sent back `most` times already. */
export const countOidcReturn = (table: Table, uid: string, most: number): Promise<boolean> => {
  const changes: Update = (x) => {
    const returns = x.path('returns')
    return {
      set: [`${returns} = ${returns} + ${x.value(1)}`],
      condition: `${returns} < ${x.value(most)}`,
    }
  }
  return wasCommitted(table.update(oidcInteractionKey(hashOidcValue(uid)), changes))
}
