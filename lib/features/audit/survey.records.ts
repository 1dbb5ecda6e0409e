import { auditSurveyLifeMs, auditSurveyMs } from '../../kernel/limits/limits.ts'
import { auditPartition, auditSurveyKey } from '../../kernel/table/keys/audit-keys.ts'
import { auditShards } from '../../kernel/table/keys/audit-shards.ts'
import { createCodec, findRecord } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'

/**
 * Which partitions of past months had no audit events. A list skips these alone. So a partition that no survey names is
 * read: it may be newer than the survey, or there may be none.
 */
export interface AuditSurvey {
  /** When the survey began to read, in epoch milliseconds. */
  readonly at: number
  /**
   * Months with the shards that have no events, as bits of a hexadecimal number: `2026-01 8001` for the shards 0 and 15. Below 4 KB
   * in ten years, so that reading them costs one unit.
   */
  readonly empty: readonly string[]
}

const auditSurveyCodec = createCodec<AuditSurvey>('survey of audit events', { at: 'number', empty: 'list' })

/** The last survey, if there is one. */
export const findAuditSurvey = (table: Table): Promise<AuditSurvey | undefined> =>
  findRecord(table, auditSurveyCodec, auditSurveyKey)

/** The keys of the partitions without events. */
export const listEmptyPartitions = ({ empty }: AuditSurvey): readonly string[] =>
  empty.flatMap((entry) => {
    const [month = '', bits = ''] = entry.split(' ')
    return auditShards
      .filter((_, at) => (Number.parseInt(bits, 16) >> at) & 1)
      .map((shard) => auditPartition(month, shard))
  })

/**
 * The months that a survey covers, oldest first: those before the previous month. An event is stored within seconds after
 * its time, and no clock is wrong by a month. So these months get no more events.
 */
export const listSettledMonths = (nowMs: number, retentionMs: number): readonly string[] =>
  listMonths({ sinceMs: nowMs - retentionMs, untilMs: nowMs }).slice(0, -2)

/** Replaces the last survey. */
export const putAuditSurvey = (table: Table, survey: AuditSurvey): Promise<void> =>
  table.put({ ...auditSurveyKey, ...auditSurveyCodec.encode(survey) })

/**
 * The partitions that a list may skip. A survey counts for a day. So events that someone copied into the table later are
 * missing for a limited time, even if no further survey is made. A survey from the future is ignored.
 */
export const findEmptyPartitions = async (table: Table, nowMs: number): Promise<ReadonlySet<string>> => {
  const survey = await findAuditSurvey(table)
  return new Set(survey && Math.abs(nowMs - survey.at) < auditSurveyLifeMs ? listEmptyPartitions(survey) : [])
}

export interface Times {
  readonly sinceMs: number
  readonly untilMs: number
}

/** The months with events of this time, such as `2026-01`, oldest first. */
export const listMonths = ({ sinceMs, untilMs }: Times): string[] => {
  const months: string[] = []
  const month = new Date(sinceMs)
  month.setUTCDate(1)
  month.setUTCHours(0, 0, 0, 0)
  for (; month.getTime() <= untilMs; month.setUTCMonth(month.getUTCMonth() + 1))
    months.push(month.toISOString().slice(0, 7))
  return months
}

/**
 * Looks once an hour which partitions of past months have no events. It reads them all again, so that events which
 * someone copied into the table are found. `nowMs` is the present time in epoch milliseconds, and `retentionMs` is how long
 * events are kept.
 *
 * @throws the error of a failed read. Then the last survey stays.
 */
export const surveyAuditIfDue = async (
  table: Table,
  { nowMs, retentionMs }: { readonly nowMs: number; readonly retentionMs: number },
): Promise<void> => {
  const last = await findAuditSurvey(table)
  // A survey from the future comes from a wrong clock, and is replaced.
  if (last && last.at <= nowMs && nowMs < last.at + auditSurveyMs) return
  const empty: string[] = []
  // One month after the other, so that the survey sends no more calls at once than a list does.
  for (const month of listSettledMonths(nowMs, retentionMs)) {
    const pages = await Promise.all(
      auditShards.map((shard) => table.page({ pk: auditPartition(month, shard), limit: 1 })),
    )
    const bits = pages.reduce((sum, events, at) => sum | (events.length === 0 ? 1 << at : 0), 0)
    if (bits > 0) empty.push(`${month} ${bits.toString(16)}`)
  }
  await putAuditSurvey(table, { at: nowMs, empty })
}
