import type { ListAuditEventsQuery } from '../../../lib/client/generated/operations.ts'

/** The filters as the address of the page has them. Empty texts select everything. */
export interface AuditFilter {
  readonly event: string
  /** The ID of a user. */
  readonly user: string
  /** Local times of the browser, such as `2026-11-21T08:30`. */
  readonly since: string
  readonly until: string
}

export const readFilter = (query: URLSearchParams): AuditFilter => ({
  event: query.get('event') ?? '',
  user: /^\d{1,10}$/.test(query.get('user') ?? '') ? (query.get('user') ?? '') : '',
  since: readTime(query.get('since')),
  until: readTime(query.get('until')),
})

const readTime = (text: string | null): string =>
  text !== null && !Number.isNaN(Date.parse(text)) ? text : ''

/** Returns the filters as the API takes them. */
export const toQuery = ({ event, user, since, until }: AuditFilter): ListAuditEventsQuery => ({
  ...(event ? { event } : {}),
  ...(user ? { user: Number(user) } : {}),
  ...(since ? { since: new Date(since).toISOString() } : {}),
  ...(until ? { until: new Date(until).toISOString() } : {}),
})
