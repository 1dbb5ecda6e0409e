import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { anyText, dateTime, flag, id, nonEmptyText, text, text255 } from '../../kernel/contract/fields.ts'
import {
  exampleAddress,
  exampleCredentials,
  exampleIds,
  exampleProductUrl,
  exampleTimes,
  exampleUserAgent,
} from '../example-values.models.ts'

/** The identity provider that a session was opened through. */
export const SessionProvider = z.strictObject({ id, name: text255 })
export type SessionProvider = z.output<typeof SessionProvider>

const exampleProvider = { id: exampleIds.samlProvider, name: 'Example Corp' }

describeModel(SessionProvider, () => ({
  description: 'A SAML provider: one that signed a user in, or that an invited user can sign in with.',
  fields: { id: 'The ID of the SAML provider.', name: 'The name of the SAML provider.' },
  example: exampleProvider,
}))

/** A session, with what its user needs to recognize it. */
export const Session = z.strictObject({
  id,
  created_at: dateTime,
  last_seen: dateTime,
  expires: dateTime,
  ip: nonEmptyText,
  user_agent: anyText,
  country: z.nullable(nonEmptyText),
  is_current: flag,
  saml_provider: z.nullable(SessionProvider),
  access_token: z.nullable(id),
})
export type Session = z.output<typeof Session>

describeModel(Session, () => ({
  description:
    'An active session of a user, with what they need to recognize it. The value of a session is only in the response to the sign-in.',
  fields: {
    id: 'The ID of the session. It is random and not secret. Use it to end the session.',
    created_at: 'When the user signed in: ISO 8601, UTC.',
    last_seen: 'When the session was last used: ISO 8601, UTC, with a precision of 5 minutes.',
    expires:
      'When the session ends at the latest: ISO 8601, UTC. It ends earlier without use for a time that the operator sets.',
    ip: 'The IP address that the session was opened from.',
    user_agent: 'The user agent that the session was opened with. Its sender chose it, so it proves nothing.',
    country:
      'The country that the session was opened from, as ISO 3166-1 alpha-2. Null without the front door, or if it does not know the country.',
    is_current: 'Whether this request was sent with the session.',
    saml_provider: 'The SAML provider that signed the user in, or null.',
    access_token: 'The ID of the access link that opened the session, or null.',
  },
  example: {
    id: exampleIds.session,
    created_at: exampleTimes.signedIn,
    last_seen: exampleTimes.lastSeen,
    expires: exampleTimes.sessionEnd,
    ip: exampleAddress,
    user_agent: exampleUserAgent,
    country: 'NO',
    is_current: true,
    saml_provider: exampleProvider,
    access_token: null,
  },
}))

export const ImpersonationEndpointRequest = z.strictObject({ user: id })
export type ImpersonationEndpointRequest = z.output<typeof ImpersonationEndpointRequest>

describeModel(ImpersonationEndpointRequest, () => ({
  description: 'The user whom an administrator impersonates in their own session.',
  fields: {
    user: 'The ID of the user. They must be active, and neither an administrator nor the caller.',
  },
  example: { user: exampleIds.user },
}))

export const ContinueRequest = z.strictObject({
  return_to: text(1023),
})
export type ContinueRequest = z.output<typeof ContinueRequest>

const exampleReturnTo = `${exampleProductUrl}/cart?state=4f9c`

describeModel(ContinueRequest, () => ({
  description: 'The address that a signed-in user returns to.',
  fields: {
    return_to:
      'A path of the service such as `/passkeys`, or the URL of a page of an allowed origin. Paths under `/api/` are refused.',
  },
  example: { return_to: exampleReturnTo },
}))

/** Where a sign-in page returns to. */
export const ReturnTarget = z.strictObject({
  return_to: nonEmptyText,
  origin: nonEmptyText,
  is_external: flag,
})
export type ReturnTarget = z.output<typeof ReturnTarget>

describeModel(ReturnTarget, () => ({
  description: 'An address that a sign-in page may return to.',
  fields: {
    return_to: 'The complete URL in its normal form.',
    origin: 'The origin of the URL, to show to the user.',
    is_external: 'Whether the URL is of an allowed origin, and not of the service.',
  },
  example: { return_to: exampleReturnTo, origin: exampleProductUrl, is_external: true },
}))

export const ReturnLocation = z.strictObject({ location: nonEmptyText })
export type ReturnLocation = z.output<typeof ReturnLocation>

describeModel(ReturnLocation, () => ({
  description: 'Where the browser goes after a sign-in.',
  fields: {
    location:
      'The URL to open. For another origin it contains a ticket, so open it at once and do not store it.',
  },
  example: { location: `${exampleReturnTo}&ticket=${exampleCredentials.ticket}` },
}))
