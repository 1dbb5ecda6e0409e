import * as z from 'zod/mini'
import { anyText, dateTime, id, nonEmptyText } from './fields.ts'

const nullableId = z.nullable(id)

/** A record of who did what to whom, and with what result. */
export const AuditEvent = z.strictObject({
  /** A unique text. Audit events have no numeric IDs. */
  id: nonEmptyText,
  created_at: dateTime,
  event: nonEmptyText,
  /** The user whose account is affected, if any. */
  user: nullableId,
  /** The current username, or the last one of a deleted user. Null if no user had this ID. */
  user_name: z.nullable(anyText),
  /** The user who acted. The administrator during an impersonation. Null without a signed-in user. */
  actor: nullableId,
  actor_name: z.nullable(anyText),
  /** The address that the request came from. */
  ip: anyText,
  /** The user of the product that named this address, if one did. */
  product: z.optional(id),
  request_id: anyText,
  /** The object that was affected: see the description of each event. */
  target: z.nullable(anyText),
  /** `succeeded` or the reason why it failed. */
  outcome: nonEmptyText,
  /** The credential that the caller authenticated with: `session`, `api_token` or `reset_token`. */
  credential: z.optional(nonEmptyText),
  /** The beginning of the user agent of the request. */
  user_agent: z.optional(nonEmptyText),
  /** The name that was entered. It is left out if it may be a password that was entered in the wrong field. */
  username_tried: z.optional(nonEmptyText),
  /** The number of refusals that this event stands for, if it can stand for several. */
  count: z.optional(z.int().check(z.minimum(1))),
})
export type AuditEvent = z.output<typeof AuditEvent>
