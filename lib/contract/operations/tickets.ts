import * as z from 'zod/mini'
import { anyone, bySession, withScope } from '../access.ts'
import { ContinueRequest, ReturnLocation, ReturnTarget } from '../models/return-url.ts'
import { CheckAuthTicketRequest, CheckedUser, CreateAuthTicketRequest, Ticket } from '../models/ticket.ts'
import { defineOperation } from '../operation.ts'
import { queryText } from '../query.ts'

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
    responses: { 200: Ticket },
    errors: ['too_many_requests'],
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
    responses: { 200: CheckedUser },
    errors: ['not_found', 'too_many_requests'],
  }),
  checkReturnUrl: defineOperation({
    id: 'check_return_url',
    group: 'tickets',
    method: 'GET',
    path: '/api/2/auth/continue',
    access: anyone,
    summary: 'Check the address that a sign-in page returns to',
    query: z.strictObject({ return_to: z.optional(queryText) }),
    responses: { 200: ReturnTarget },
  }),
  continueToReturnUrl: defineOperation({
    id: 'continue_to_return_url',
    group: 'tickets',
    method: 'POST',
    path: '/api/2/auth/continue',
    access: bySession,
    summary: 'Get the address to return to after the sign-in, with a ticket for another origin',
    body: ContinueRequest,
    responses: { 200: ReturnLocation },
  }),
}
