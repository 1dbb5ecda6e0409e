import * as z from 'zod/mini'
import { anyText, dateTime, flag, id, nonEmptyText, text255 } from './fields.ts'

/** The identity provider that a session was opened through. */
export const SessionProvider = z.strictObject({ id, name: text255 })
export type SessionProvider = z.output<typeof SessionProvider>

/** One of the caller's own sessions, with what they need to recognize it. */
export const Session = z.strictObject({
  id,
  created_at: dateTime,
  last_seen: dateTime,
  expires: dateTime,
  /** The address that the session was opened from. */
  ip: nonEmptyText,
  user_agent: anyText,
  /** The country of the address, if the service knows it. This field is an extension of the known interface. */
  country: z.nullable(nonEmptyText),
  /** Whether the request was sent with this session. */
  is_current: flag,
  /** The identity provider that signed the user in, if any. */
  saml_provider: z.nullable(SessionProvider),
  /** The ID of the access link that opened the session, if any. */
  access_token: z.nullable(id),
})
export type Session = z.output<typeof Session>
