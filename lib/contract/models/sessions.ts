import * as z from 'zod/mini'
import { anyText, dateTime, flag, id, nonEmptyText, text255 } from './fields.ts'

/** The identity provider that a session was opened through. */
export const SessionProvider = z.strictObject({ id, name: text255 })
export type SessionProvider = z.output<typeof SessionProvider>

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
  /** Who signed the user in, where a password didn't. */
  saml_provider: z.nullable(SessionProvider),
  /** The id of the link that opened it, where one did. */
  access_token: z.nullable(id),
})
export type Session = z.output<typeof Session>
