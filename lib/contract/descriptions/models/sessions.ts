import { Session, SessionProvider } from '../../models/sessions.ts'
import { describeModel } from '../describe.ts'
import { exampleAddress, exampleIds, exampleTimes, exampleUserAgent } from '../example-values.ts'

const exampleProvider = { id: exampleIds.samlProvider, name: 'Example Corp' }

export const sessionsTexts = [
  describeModel(SessionProvider, {
    description: 'A SAML provider: one that signed a user in, or that an invited user can sign in with.',
    fields: { id: 'The ID of the SAML provider.', name: 'The name of the SAML provider.' },
    example: exampleProvider,
  }),
  describeModel(Session, {
    description:
      'An active session of the caller, with what they need to recognize it. The value of a session is only in the response to the sign-in.',
    fields: {
      id: 'The ID of the session. It is random and not secret. Use it to end the session.',
      created_at: 'When the user signed in: ISO 8601, UTC.',
      last_seen: 'When the session was last used: ISO 8601, UTC, with a precision of 5 minutes.',
      expires:
        'When the session ends at the latest: ISO 8601, UTC. It ends earlier without use for a time that the operator sets.',
      ip: 'The IP address that the session was opened from.',
      user_agent:
        'The user agent that the session was opened with. Its sender chose it, so it proves nothing.',
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
  }),
]
