import * as z from 'zod/mini'
import {
  exampleBundle,
  exampleCredentials,
  exampleIds,
  exampleProductUrl,
  exampleTimes,
} from '../../accounts/example-values.models.ts'
import { exampleUserDetail, sharedUserFields } from '../../accounts/users/users.models.ts'
import { id, nonEmptyText, nullableDateTime, text255 } from '../../kernel/contract/fields.ts'
import { compose, field, model } from '../../kernel/contract/model.ts'
import { OneTimeAccessTokenSharedObject } from '../access-links/models.ts'
import { CurrentOrganization } from '../organizations/models.ts'

export const Ticket = model(
  {
    ticket: field(
      nonEmptyText,
      docs &&
        'The value of the ticket, with the prefix `lkt_`. Send it to the server that must know the user. It ends with the session or API token that created it.',
    ),
  },
  docs && {
    description:
      'A one-time ticket. It proves to another server which user is calling, without sharing the session. It expires after 60 seconds and works once.',
    example: { ticket: exampleCredentials.ticket },
  },
)
export type Ticket = z.output<typeof Ticket>

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

export const CreateAuthTicketRequest = model(
  {
    audience: field(
      audience,
      docs &&
        'The origin of the only server that can exchange the ticket: scheme, host and port, without a path. Name it whenever you know the server. Otherwise a server that receives the ticket could use it at another one.',
    ),
    organization: field(
      z.optional(text255),
      docs &&
        'The organization that the user acts in at the other server, by its ID or slug. The user must be a member, also when the ticket is exchanged.',
    ),
  },
  docs && {
    description: 'The terms of a new ticket. The body can be empty.',
    example: { audience: exampleProductUrl },
  },
)
export type CreateAuthTicketRequest = z.output<typeof CreateAuthTicketRequest>

export const CheckAuthTicketRequest = model(
  {
    ticket: field(nonEmptyText, docs && 'The value of the ticket. A successful check uses it up.'),
    audience: field(
      audience,
      docs &&
        'The origin of the server that sends this request. It must equal the audience of the ticket. A server that always sends it accepts no ticket for another server.',
    ),
    include: field(
      z.optional(z.array(z.enum(['context'])).check(z.maxLength(10))),
      docs &&
        'Additional parts of the response. `context` adds the field `context`: how and when the user signed in.',
    ),
  },
  docs && {
    description: 'A ticket that another server received and exchanges for its user.',
    example: {
      ticket: exampleCredentials.ticket,
      audience: exampleProductUrl,
      include: ['context' as const],
    },
  },
)
export type CheckAuthTicketRequest = z.output<typeof CheckAuthTicketRequest>

export const TicketImpersonator = model(
  {
    id: field(id, docs && 'The ID of the administrator.'),
    username: field(text255, docs && 'The username of the administrator.'),
  },
  docs && {
    description: 'The administrator who impersonates the user.',
    example: { id: exampleIds.administrator, username: 'admin' },
  },
)
export type TicketImpersonator = z.output<typeof TicketImpersonator>

/** The access link that opened the session of a ticket, and what it shares. */
export const TicketAccessLink = model(
  {
    id: field(id, docs && 'The ID of the access link.'),
    shared_bundles: field(
      z.array(OneTimeAccessTokenSharedObject),
      docs && 'The bundles that the link shares.',
    ),
    shared_directories: field(
      z.array(OneTimeAccessTokenSharedObject),
      docs && 'The directories that the link shares.',
    ),
    expires: field(
      nullableDateTime,
      docs && 'When the link ends: ISO 8601, UTC. Null if it does not expire.',
    ),
  },
  docs && {
    description:
      'The access link that a guest came by. Your server must check that a requested object is one of the shared objects.',
    example: {
      id: exampleIds.accessLink,
      shared_bundles: [{ id: exampleBundle.id, name: exampleBundle.name }],
      shared_directories: [],
      expires: null,
    },
  },
)
export type TicketAccessLink = z.output<typeof TicketAccessLink>

const exampleContext = docs && {
  credential: 'session' as const,
  authenticated_at: exampleTimes.signedIn,
  methods: ['pwd'],
  impersonator: null,
  access_token: null,
  access_link: null,
}

/** The circumstances in which a ticket was created. */
export const TicketContext = model(
  {
    credential: field(
      z.enum(['session', 'api_token']),
      docs && 'What created the ticket: a `session` or an `api_token`.',
    ),
    authenticated_at: field(
      nullableDateTime,
      docs &&
        'When the user last proved who they are: ISO 8601, UTC. Null for an API token, and if it is not known.',
    ),
    methods: field(
      z.array(nonEmptyText),
      docs &&
        'How the user proved it: `pwd` (password), `otp` (authenticator app), `recovery_code`, `passkey`, `email_code`, `saml` or `link` (access link). Ignore values that you do not know, because later versions can add some. Empty if it is not known.',
    ),
    impersonator: field(
      z.nullable(TicketImpersonator),
      docs && 'The administrator who impersonates the user, or null.',
    ),
    access_token: field(
      z.nullable(id),
      docs && 'The ID of the access link that opened the session, or null.',
    ),
    access_link: field(
      z.nullable(TicketAccessLink),
      docs && 'The access link that opened the session, with what it shares, or null.',
    ),
  },
  docs && {
    description:
      'The circumstances in which a ticket was created. Use it to require a recent sign-in or a second factor. During an impersonation, the sign-in is that of the administrator.',
    example: exampleContext,
  },
)
export type TicketContext = z.output<typeof TicketContext>

const checkedUserFields = compose(() => ({
  ...sharedUserFields,
  context: field(
    z.optional(TicketContext),
    docs &&
      'The circumstances in which the ticket was created. Only present if the request includes `context`.',
  ),
  organization: field(
    z.optional(CurrentOrganization),
    docs &&
      'The organization that the ticket is for, and what the user may do there now. Only present for a ticket with an organization. The other permissions and groups are those of the account, and count in no organization.',
  ),
}))

export const CheckedUser = model(
  checkedUserFields,
  docs && {
    description:
      'The user of a ticket, as they are at the time of the check. For a ticket of an access link or of an API token with scopes, permissions and groups are limited.',
    example: { ...exampleUserDetail, context: exampleContext },
  },
)
export type CheckedUser = z.output<typeof CheckedUser>
