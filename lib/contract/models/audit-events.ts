import * as z from 'zod/mini'
import { anyText, dateTime, id, nonEmptyText } from './fields.ts'

const nullableId = z.nullable(id)

/** Who did what to whom, and how it ended. */
export const AuditEvent = z.strictObject({
  /** Tells it from all others; a text, since records are numbered nowhere. */
  id: nonEmptyText,
  created_at: dateTime,
  event: nonEmptyText,
  /** Whose account it is about, if anybody's. */
  user: nullableId,
  /** Its username at the time of asking, or when it was deleted; null where nobody had this id. */
  user_name: z.nullable(anyText),
  /** Who acted: the administrator while it impersonates; null for somebody who isn't signed in. */
  actor: nullableId,
  actor_name: z.nullable(anyText),
  /** The address that the request came from. */
  ip: anyText,
  request_id: anyText,
  /** What it was done to: see the events. */
  target: z.nullable(anyText),
  /** `succeeded`, or the reason of a refusal. */
  outcome: nonEmptyText,
})
export type AuditEvent = z.output<typeof AuditEvent>
