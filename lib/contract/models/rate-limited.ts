import * as z from 'zod/mini'
import { anyText, dateTime, id, nonEmptyText, nullableDateTime } from './fields.ts'

/** Something that reached a rate limit, and is refused until it has fewer events. */
export const RateLimitedSubject = z.strictObject({
  /** Identifies the count in paths. */
  key: nonEmptyText,
  /** The name of the rate limit. */
  name: nonEmptyText,
  /** The user whose account is limited, if it is one. */
  user: z.nullable(id),
  /** Null for callers who may not read users. */
  user_name: z.nullable(anyText),
  /** The network whose requests are limited, if it is one. */
  network: z.nullable(nonEmptyText),
  /** The ID of the access link that is limited, if it is one. */
  access_token: z.nullable(id),
  since: dateTime,
  /** Null if it ends only with a success or a password reset. */
  until: nullableDateTime,
})
export type RateLimitedSubject = z.output<typeof RateLimitedSubject>
