import * as z from 'zod/mini'
import { exampleCredentials, exampleProductUrl } from '../../accounts/example-values.models.ts'
import { anyone, bySession, withScope } from '../../kernel/contract/access.ts'
import { describe, exampleOf } from '../../kernel/contract/describe.ts'
import { defineOperation } from '../../kernel/contract/operation.ts'
import { queryText } from '../../kernel/contract/query.ts'
import { ticketLifetimeMs } from '../../kernel/limits/limits.ts'
import { describeDuration } from '../../kernel/util/time.ts'
import { ContinueRequest, ReturnLocation, ReturnTarget } from '../sign-in/sessions.models.ts'
import { CheckAuthTicketRequest, CheckedUser, CreateAuthTicketRequest, Ticket } from './models.ts'

const lifetimeDescription = docs && describeDuration(ticketLifetimeMs)

const exampleReturnTo = docs && `${exampleProductUrl}/cart?state=4f9c`

const exampleUserWithoutContext = docs && (({ context: _, ...user }) => user)(exampleOf(CheckedUser))

export const tickets = {
  createAuthTicket: defineOperation({
    id: 'create_auth_ticket',
    group: 'tickets',
    method: 'POST',
    path: '/api/2/auth/ticket',
    access: withScope('tickets:create'),
    summary: 'Create a one-time ticket that identifies the caller to another server',
    body: CreateAuthTicketRequest,
    isBodyOptional: true,
    responses: { 200: docs && Ticket },
    errors: ['permission_denied', 'too_many_requests'],
    audit: ['ticket.created'],
    text:
      docs &&
      describe(() => ({
        description: `Creates a ticket that stands for the caller's user. Pass it to another server, for example as a query parameter of a
redirect. That server exchanges it with \`check_auth_ticket\` and learns who the user is, without seeing the session.

A ticket works once and for ${lifetimeDescription}. It ends earlier if its session or API token ends. With \`audience\`, only the
server with that origin can exchange it, so name it whenever you know it. The ticket of an API token with scopes is
limited to these scopes.

With \`organization\`, the other server learns in which organization the user acts, and with which roles. If the user is no member, the
response is the same 403 as for one that does not exist.`,
        parameters: {},
        request: [
          { summary: 'A ticket for one server', value: { audience: 'https://shop.example.com' } },
          { summary: 'A ticket for any server', value: {} },
        ],
        responses: { 200: [{ summary: 'A ticket', value: { ticket: exampleCredentials.ticket } }] },
      })),
  }),
  checkAuthTicket: defineOperation({
    id: 'check_auth_ticket',
    group: 'tickets',
    method: 'POST',
    path: '/api/2/auth/ticket/check',
    access: anyone,
    acceptsProduct: true,
    summary: 'Exchange a one-time ticket for its user',
    body: CheckAuthTicketRequest,
    responses: { 200: docs && CheckedUser },
    errors: ['not_found', 'too_many_requests'],
    audit: ['ticket.exchanged', 'ticket.refused'],
    limits: ['lookUpFailures'],
    text:
      docs &&
      describe(() => ({
        description: `Exchanges a ticket for its user. The response shows the user as they are at this moment. The caller is the server that received the ticket. It
needs no credential: the ticket is the proof.

A ticket can be exchanged once, even if several servers try at the same time. Unknown, used, expired and revoked tickets
get the same 404, and so do tickets for another audience. A check with a wrong audience does not use up the ticket. If the
response is lost, ask for a new ticket.

Send your own origin as \`audience\`, so that tickets for another server are refused. \`"include": ["context"]\` adds
how and when the user signed in. Valid tickets
are always served.`,
        parameters: {},
        request: [
          {
            summary: 'A ticket for the calling server',
            value: { ticket: exampleCredentials.ticket, audience: 'https://shop.example.com' },
          },
          {
            summary: 'A ticket without an audience, with the context of the sign-in',
            value: { ticket: exampleCredentials.ticket, include: ['context'] },
          },
        ],
        responses: {
          200: [
            { summary: 'The user', value: exampleUserWithoutContext },
            { summary: 'The user with the context of the sign-in', value: exampleOf(CheckedUser) },
          ],
        },
      })),
  }),
  checkReturnUrl: defineOperation({
    id: 'check_return_url',
    group: 'tickets',
    method: 'GET',
    path: '/api/2/auth/continue',
    access: anyone,
    summary: 'Check the address that a sign-in page returns to',
    query: z.strictObject({ return_to: z.optional(queryText) }),
    responses: { 200: docs && ReturnTarget },
    text:
      docs &&
      describe(() => ({
        description: `Checks \`return_to\` before a sign-in, for a sign-in page. Pages of the service and of the allowed origins are accepted, but
operations under \`/api/\` are not. Anything else gets 400. The page can then show \`origin\` to the user. After the sign-in, it calls
\`continue_to_return_url\`.`,
        parameters: {
          return_to: {
            description:
              'The address to return to: a path of the service such as `/passkeys`, or the URL of a page of an allowed origin. The default is `/`.',
            example: exampleReturnTo,
          },
        },
        responses: {
          200: [
            {
              summary: 'A page of a product',
              value: { return_to: exampleReturnTo, origin: exampleProductUrl, is_external: true },
            },
          ],
        },
      })),
  }),
  continueToReturnUrl: defineOperation({
    id: 'continue_to_return_url',
    group: 'tickets',
    method: 'POST',
    path: '/api/2/auth/continue',
    access: bySession,
    summary: 'Get the address to return to after the sign-in, with a ticket for another origin',
    body: ContinueRequest,
    responses: { 200: docs && ReturnLocation },
    audit: ['ticket.created'],
    text:
      docs &&
      describe(() => ({
        description: `Returns where the browser of a signed-in user goes. For a page of an allowed origin, the address has a one-time ticket as
\`?ticket=\`, as after a SAML sign-in. The product exchanges it with \`check_auth_ticket\`. A ticket that the address already contains is
replaced. Addresses of the service get no ticket.

The built-in sign-in page calls this operation. Your own page on the origin of the service can do the same. With the session
cookie, the request must come from a page of the service.`,
        parameters: {},
        request: [{ summary: 'A page of a product', value: { return_to: exampleReturnTo } }],
        responses: {
          200: [
            {
              summary: 'The address with a ticket',
              value: { location: `${exampleReturnTo}&ticket=${exampleCredentials.ticket}` },
            },
          ],
        },
      })),
  }),
}
