import {
  type ClaimedNames,
  type Claims,
  claimsPerCall,
  findClaims,
} from '../../lib/store/directory/user-claims.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import { retryThrottled } from '../retry-throttled.ts'

/** Finds which accounts have the names and addresses of any number of users, in parallel calls. The result has their order. */
export const findAllClaims = async (
  table: Table,
  users: readonly ClaimedNames[],
): Promise<readonly Claims[]> => {
  const parts = Array.from({ length: Math.ceil(users.length / claimsPerCall) }, (_, at) =>
    users.slice(at * claimsPerCall, (at + 1) * claimsPerCall),
  )
  return (await Promise.all(parts.map((part) => retryThrottled(() => findClaims(table, part))))).flat()
}
