import * as z from 'zod/mini'
import {
  exampleAddress,
  exampleCredentials,
  exampleIds,
  exampleProductUrl,
  exampleTimes,
  exampleUserAgent,
} from '../../accounts/example-values.models.ts'
import { anyText, dateTime, flag, id, nonEmptyText, text, text255 } from '../../kernel/contract/fields.ts'
import { field, model } from '../../kernel/contract/model.ts'

const exampleProvider = docs && { id: exampleIds.samlProvider, name: 'Example Corp' }

/** The identity provider that a session was opened through. */
export const SessionProvider = model(
  {
    id: field(id, docs && 'The ID of the SAML provider.'),
    name: field(text255, docs && 'The name of the SAML provider.'),
  },
  docs && {
    description: 'A SAML provider: one that signed a user in, or that an invited user can sign in with.',
    example: exampleProvider,
  },
)
export type SessionProvider = z.output<typeof SessionProvider>

/** A session, with what its user needs to recognize it. */
export const Session = model(
  {
    id: field(id, docs && 'The ID of the session. It is random and not secret. Use it to end the session.'),
    created_at: field(dateTime, docs && 'When the user signed in: ISO 8601, UTC.'),
    last_seen: field(
      dateTime,
      docs && 'When the session was last used: ISO 8601, UTC, with a precision of 5 minutes.',
    ),
    expires: field(
      dateTime,
      docs &&
        'When the session ends at the latest: ISO 8601, UTC. It ends earlier without use for a time that the operator sets.',
    ),
    ip: field(nonEmptyText, docs && 'The IP address that the session was opened from.'),
    user_agent: field(
      anyText,
      docs && 'The user agent that the session was opened with. Its sender chose it, so it proves nothing.',
    ),
    country: field(
      z.nullable(nonEmptyText),
      docs &&
        'The country that the session was opened from, as ISO 3166-1 alpha-2. Null without the front door, or if it does not know the country.',
    ),
    is_current: field(flag, docs && 'Whether this request was sent with the session.'),
    saml_provider: field(
      z.nullable(SessionProvider),
      docs && 'The SAML provider that signed the user in, or null.',
    ),
    access_token: field(
      z.nullable(id),
      docs && 'The ID of the access link that opened the session, or null.',
    ),
  },
  docs && {
    description:
      'An active session of a user, with what they need to recognize it. The value of a session is only in the response to the sign-in.',
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
  },
)
export type Session = z.output<typeof Session>

export const ImpersonationEndpointRequest = model(
  {
    user: field(
      id,
      docs && 'The ID of the user. They must be active, and neither an administrator nor the caller.',
    ),
  },
  docs && {
    description: 'The user whom an administrator impersonates in their own session.',
    example: { user: exampleIds.user },
  },
)
export type ImpersonationEndpointRequest = z.output<typeof ImpersonationEndpointRequest>

const exampleReturnTo = docs && `${exampleProductUrl}/cart?state=4f9c`

export const ContinueRequest = model(
  {
    return_to: field(
      text(1023),
      docs &&
        'A path of the service such as `/passkeys`, or the URL of a page of an allowed origin. Paths under `/api/` are refused.',
    ),
  },
  docs && {
    description: 'The address that a signed-in user returns to.',
    example: { return_to: exampleReturnTo },
  },
)
export type ContinueRequest = z.output<typeof ContinueRequest>

/** Where a sign-in page returns to. */
export const ReturnTarget = model(
  {
    return_to: field(nonEmptyText, docs && 'The complete URL in its normal form.'),
    origin: field(nonEmptyText, docs && 'The origin of the URL, to show to the user.'),
    is_external: field(flag, docs && 'Whether the URL is of an allowed origin, and not of the service.'),
  },
  docs && {
    description: 'An address that a sign-in page may return to.',
    example: { return_to: exampleReturnTo, origin: exampleProductUrl, is_external: true },
  },
)
export type ReturnTarget = z.output<typeof ReturnTarget>

export const ReturnLocation = model(
  {
    location: field(
      nonEmptyText,
      docs &&
        'The URL to open. For another origin it contains a ticket, so open it at once and do not store it.',
    ),
  },
  docs && {
    description: 'Where the browser goes after a sign-in.',
    example: { location: `${exampleReturnTo}&ticket=${exampleCredentials.ticket}` },
  },
)
export type ReturnLocation = z.output<typeof ReturnLocation>
