import { auditSurveyMs } from '../../limits/limits.ts'
import type { Table } from '../engine/table.ts'
import { auditPartition } from '../keys/audit-keys.ts'
import { auditShards } from '../keys/audit-shards.ts'
import { findAuditSurvey, listSettledMonths, putAuditSurvey } from './audit-survey.ts'

/**
 * Looks once an hour which partitions of past months have no events. It reads them all again, so that events which
 * someone copied into the table are found. `nowMs` is the present time in epoch milliseconds.
 *
 * @throws the error of a failed read. Then the last survey stays.
 */
export const surveyAuditIfDue = async (table: Table, nowMs: number): Promise<void> => {
  const last = await findAuditSurvey(table)
  // A survey from the future comes from a wrong clock, and is replaced.
  if (last && last.at <= nowMs && nowMs < last.at + auditSurveyMs) return
  const empty: string[] = []
  // One month after the other, so that the survey sends no more calls at once than a list does.
  for (const month of listSettledMonths(nowMs)) {
    const keys = auditShards.map((shard) => auditPartition(month, shard))
    const events = await Promise.all(keys.map((pk) => table.page({ pk, limit: 1 })))
    empty.push(...keys.filter((_, at) => events[at]?.length === 0))
  }
  await putAuditSurvey(table, { at: nowMs, empty })
}
