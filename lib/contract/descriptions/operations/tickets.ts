import { ticketLifetimeMs } from '../../../limits/limits.ts'
import { describeDuration } from '../../../util/describe-duration.ts'
import { CheckedUser } from '../../models/ticket.ts'
import type { tickets } from '../../operations/tickets.ts'
import type { OperationTexts } from '../describe.ts'
import { describeRateLimit } from '../describe-rate-limit.ts'
import { exampleOf } from '../example-of.ts'
import { exampleCredentials, exampleProductUrl } from '../example-values.ts'

const lifetime = describeDuration(ticketLifetimeMs)
const { ticket } = exampleCredentials
const returnTo = `${exampleProductUrl}/cart?state=4f9c`

const { context: _, ...userWithoutContext } = exampleOf(CheckedUser)

export const ticketsTexts: OperationTexts<typeof tickets> = {
  createAuthTicket: {
    description: `Creates a ticket that stands for the caller's user. Pass it to another server, for example as a query parameter of a
redirect. That server exchanges it with \`check_auth_ticket\` and learns who the user is, without seeing the session.

A ticket works once and for ${lifetime}. It ends earlier if its session or API token ends. With \`audience\`, only the
server with that origin can exchange it, so name it whenever you know it. The ticket of an API token with scopes is
limited to these scopes. The audit event is \`ticket.created\`.`,
    parameters: {},
    request: [
      { summary: 'A ticket for one server', value: { audience: 'https://shop.example.com' } },
      { summary: 'A ticket for any server', value: {} },
    ],
    responses: { 200: [{ summary: 'A ticket', value: { ticket } }] },
  },
  checkAuthTicket: {
    description: `Exchanges a ticket for its user. The response shows the user as they are at this moment. The caller is the server that received the ticket. It
needs no credential: the ticket is the proof.

A ticket can be exchanged once, even if several servers try at the same time. Unknown, used, expired and revoked tickets
get the same 404, and so do tickets for another audience. A check with a wrong audience does not use up the ticket. If the
response is lost, ask for a new ticket.

Send your own origin as \`audience\`, so that tickets for another server are refused. \`"include": ["context"]\` adds
how and when the user signed in. Failed checks are limited to ${describeRateLimit('lookUpFailures')} per address. Valid tickets
are always served. The audit events are \`ticket.exchanged\` and \`ticket.refused\`.`,
    parameters: {},
    request: [
      {
        summary: 'A ticket for the calling server',
        value: { ticket, audience: 'https://shop.example.com' },
      },
      {
        summary: 'A ticket without an audience, with the context of the sign-in',
        value: { ticket, include: ['context'] },
      },
    ],
    responses: {
      200: [
        { summary: 'The user', value: userWithoutContext },
        { summary: 'The user with the context of the sign-in', value: exampleOf(CheckedUser) },
      ],
    },
  },
  checkReturnUrl: {
    description: `Checks \`return_to\` before a sign-in, for a sign-in page. Pages of the service and of the allowed origins are accepted, but
operations under \`/api/\` are not. Anything else gets 400. The page can then show \`origin\` to the user. After the sign-in, it calls
\`continue_to_return_url\`.`,
    parameters: {
      return_to: {
        description:
          'The address to return to: a path of the service such as `/passkeys`, or the URL of a page of an allowed origin. The default is `/`.',
        example: returnTo,
      },
    },
    responses: {
      200: [
        {
          summary: 'A page of a product',
          value: { return_to: returnTo, origin: exampleProductUrl, is_external: true },
        },
      ],
    },
  },
  continueToReturnUrl: {
    description: `Returns where the browser of a signed-in user goes. For a page of an allowed origin, the address has a one-time ticket as
\`?ticket=\`, as after a SAML sign-in. The product exchanges it with \`check_auth_ticket\`. A ticket that the address already contains is
replaced. Addresses of the service get no ticket.

The built-in sign-in page calls this operation. Your own page on the origin of the service can do the same. With the session
cookie, the request must come from a page of the service. The audit event is \`ticket.created\`.`,
    parameters: {},
    request: [{ summary: 'A page of a product', value: { return_to: returnTo } }],
    responses: {
      200: [{ summary: 'The address with a ticket', value: { location: `${returnTo}&ticket=${ticket}` } }],
    },
  },
}
