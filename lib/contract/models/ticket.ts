import * as z from 'zod/mini'
import { id, nonEmptyText, nullableDateTime, text255 } from './fields.ts'
import { OneTimeAccessTokenSharedObject } from './shared-object.ts'
import { sharedUserFields } from './user-detail.ts'

export const Ticket = z.strictObject({ ticket: nonEmptyText })
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

export const CreateAuthTicketRequest = z.strictObject({
  /** The only server that can exchange the ticket. Without it, any server can. */
  audience,
})
export type CreateAuthTicketRequest = z.output<typeof CreateAuthTicketRequest>

export const CheckAuthTicketRequest = z.strictObject({
  ticket: nonEmptyText,
  /** The origin of the server that checks the ticket. Only tickets for this audience are accepted then. */
  audience,
  /** Optional parts of the response. */
  include: z.optional(z.array(z.enum(['context'])).check(z.maxLength(10))),
})
export type CheckAuthTicketRequest = z.output<typeof CheckAuthTicketRequest>

export const TicketImpersonator = z.strictObject({ id, username: text255 })
export type TicketImpersonator = z.output<typeof TicketImpersonator>

/** The access link that opened the session of a ticket, and what it shares. */
export const TicketAccessLink = z.strictObject({
  id,
  shared_bundles: z.array(OneTimeAccessTokenSharedObject),
  shared_directories: z.array(OneTimeAccessTokenSharedObject),
  expires: nullableDateTime,
})
export type TicketAccessLink = z.output<typeof TicketAccessLink>

/** The circumstances in which a ticket was created. */
export const TicketContext = z.strictObject({
  /** The credential that created the ticket. */
  credential: z.enum(['session', 'api_token']),
  /** When the user last proved who they are. During an impersonation, the administrator. Null for an API token. */
  authenticated_at: nullableDateTime,
  /** How: `pwd`, `otp`, `recovery_code`, `saml`, `link`, and others in later versions. Empty if it is not known. */
  methods: z.array(nonEmptyText),
  /** The administrator who impersonates the user. */
  impersonator: z.nullable(TicketImpersonator),
  /** The ID of the access link that opened the session. */
  access_token: z.nullable(id),
  /** The same access link, with what it shares. */
  access_link: z.nullable(TicketAccessLink),
})
export type TicketContext = z.output<typeof TicketContext>

export const CheckedUser = z.strictObject({ ...sharedUserFields, context: z.optional(TicketContext) })
export type CheckedUser = z.output<typeof CheckedUser>
