import { anyone, withScope } from '../access.ts'
import { CheckAuthTicketRequest, CheckedUser, CreateAuthTicketRequest, Ticket } from '../models/ticket.ts'
import { defineOperation } from '../operation.ts'

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
}
