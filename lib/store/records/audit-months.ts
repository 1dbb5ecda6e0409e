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
