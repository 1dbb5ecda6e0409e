import * as z from 'zod/mini'
import { describeModel } from '../../kernel/contract/describe.ts'
import { id, nonEmptyText, nullableDateTime, text255 } from '../../kernel/contract/fields.ts'
import { OneTimeAccessTokenSharedObject } from '../access-links/models.ts'
import { userFieldDescriptions } from '../directory/user-fields.models.ts'
import { detailDescriptions, exampleUserDetail, sharedUserFields } from '../directory/users.models.ts'
import {
  exampleBundle,
  exampleCredentials,
  exampleIds,
  exampleProductUrl,
  exampleTimes,
} from '../example-values.models.ts'

export const Ticket = z.strictObject({ ticket: nonEmptyText })
export type Ticket = z.output<typeof Ticket>

describeModel(Ticket, () => ({
  description:
    'A one-time ticket. It proves to another server which user is calling, without sharing the session. It expires after 60 seconds and works once.',
  fields: {
    ticket:
      'The value of the ticket, with the prefix `lkt_`. Send it to the server that must know the user. It ends with the session or API token that created it.',
  },
  example: { ticket: exampleCredentials.ticket },
}))

/** The origin of a server. All spellings of an origin are read as the same text. */
const audience = z.optional(
  text255.check(
    // Browsers and URL parsers drop some characters, so an origin has to be written without them.
    z.refine((given) => /^https?:\/\/[^\s\p{C}\\/?#@]+\/?$/iu.test(given) && URL.canParse(given), {
      error: 'must be an origin such as https://shop.example.com, without a path',
      abort: true,
    }),
    z.overwrite((given) => new URL(given).origin),
  ),
)

export const CreateAuthTicketRequest = z.strictObject({
  audience,
})
export type CreateAuthTicketRequest = z.output<typeof CreateAuthTicketRequest>

describeModel(CreateAuthTicketRequest, () => ({
  description: 'The terms of a new ticket. The body can be empty.',
  fields: {
    audience:
      'The origin of the only server that can exchange the ticket: scheme, host and port, without a path. Name it whenever you know the server. Otherwise a server that receives the ticket could use it at another one.',
  },
  example: { audience: exampleProductUrl },
}))

export const CheckAuthTicketRequest = z.strictObject({
  ticket: nonEmptyText,
  audience,
  include: z.optional(z.array(z.enum(['context'])).check(z.maxLength(10))),
})
export type CheckAuthTicketRequest = z.output<typeof CheckAuthTicketRequest>

describeModel(CheckAuthTicketRequest, () => ({
  description: 'A ticket that another server received and exchanges for its user.',
  fields: {
    ticket: 'The value of the ticket. A successful check uses it up.',
    audience:
      'The origin of the server that sends this request. It must equal the audience of the ticket. A server that always sends it accepts no ticket for another server.',
    include:
      'Additional parts of the response. `context` adds the field `context`: how and when the user signed in.',
  },
  example: { ticket: exampleCredentials.ticket, audience: exampleProductUrl, include: ['context' as const] },
}))

export const TicketImpersonator = z.strictObject({ id, username: text255 })
export type TicketImpersonator = z.output<typeof TicketImpersonator>

describeModel(TicketImpersonator, () => ({
  description: 'The administrator who impersonates the user.',
  fields: { id: 'The ID of the administrator.', username: 'The username of the administrator.' },
  example: { id: exampleIds.administrator, username: 'admin' },
}))

/** The access link that opened the session of a ticket, and what it shares. */
export const TicketAccessLink = z.strictObject({
  id,
  shared_bundles: z.array(OneTimeAccessTokenSharedObject),
  shared_directories: z.array(OneTimeAccessTokenSharedObject),
  expires: nullableDateTime,
})
export type TicketAccessLink = z.output<typeof TicketAccessLink>

describeModel(TicketAccessLink, () => ({
  description:
    'The access link that a guest came by. Your server must check that a requested object is one of the shared objects.',
  fields: {
    id: 'The ID of the access link.',
    shared_bundles: 'The bundles that the link shares.',
    shared_directories: 'The directories that the link shares.',
    expires: 'When the link ends: ISO 8601, UTC. Null if it does not expire.',
  },
  example: {
    id: exampleIds.accessLink,
    shared_bundles: [{ id: exampleBundle.id, name: exampleBundle.name }],
    shared_directories: [],
    expires: null,
  },
}))

/** The circumstances in which a ticket was created. */
export const TicketContext = z.strictObject({
  credential: z.enum(['session', 'api_token']),
  authenticated_at: nullableDateTime,
  methods: z.array(nonEmptyText),
  impersonator: z.nullable(TicketImpersonator),
  access_token: z.nullable(id),
  access_link: z.nullable(TicketAccessLink),
})
export type TicketContext = z.output<typeof TicketContext>

const exampleContext = {
  credential: 'session' as const,
  authenticated_at: exampleTimes.signedIn,
  methods: ['pwd'],
  impersonator: null,
  access_token: null,
  access_link: null,
}

describeModel(TicketContext, () => ({
  description:
    'The circumstances in which a ticket was created. Use it to require a recent sign-in or a second factor. During an impersonation, the sign-in is that of the administrator.',
  fields: {
    credential: 'What created the ticket: a `session` or an `api_token`.',
    authenticated_at:
      'When the user last proved who they are: ISO 8601, UTC. Null for an API token, and if it is not known.',
    methods:
      'How the user proved it: `pwd` (password), `otp` (authenticator app), `recovery_code`, `passkey`, `email_code`, `saml` or `link` (access link). Ignore values that you do not know, because later versions can add some. Empty if it is not known.',
    impersonator: 'The administrator who impersonates the user, or null.',
    access_token: 'The ID of the access link that opened the session, or null.',
    access_link: 'The access link that opened the session, with what it shares, or null.',
  },
  example: exampleContext,
}))

export const CheckedUser = z.strictObject({ ...sharedUserFields, context: z.optional(TicketContext) })
export type CheckedUser = z.output<typeof CheckedUser>

describeModel(CheckedUser, () => ({
  description:
    'The user of a ticket, as they are at the time of the check. For a ticket of an access link or of an API token with scopes, permissions and groups are limited.',
  fields: {
    ...userFieldDescriptions,
    ...detailDescriptions,
    context:
      'The circumstances in which the ticket was created. Only present if the request includes `context`.',
  },
  example: { ...exampleUserDetail, context: exampleContext },
}))
