import * as z from 'zod/mini'
import { anyText, dateTime, flag, id, nonEmptyText } from './fields.ts'

/** One of the caller's own sessions, as its owner needs to see it to know which to end. */
export const Session = z.strictObject({
  id,
  created_at: dateTime,
  last_seen: dateTime,
  expires: dateTime,
  /** The address that the session was opened from. */
  ip: nonEmptyText,
  user_agent: anyText,
  /** Whether the request itself came with this session. */
  is_current: flag,
})
export type Session = z.output<typeof Session>
