import { usedProofKey } from '../../kernel/table/keys/keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { wasCommitted } from '../../kernel/table/transaction.ts'
import { toSeconds } from '../../kernel/util/time.ts'

/**
 * Marks a challenge as used. Of any number of callers one gets true. The mark stays longer than the challenge works, also if clocks
 * differ.
 */
export const useChallenge = (table: Table, hash: string, keptUntil: number): Promise<boolean> =>
  wasCommitted(table.reserve({ ...usedProofKey(hash), expires_at: toSeconds(keptUntil) }))
