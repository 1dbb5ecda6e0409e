import { anyone, authenticated } from '../access.ts'
import { Ticket } from '../models/ticket.ts'
import { ServiceUserDetail } from '../models/user-detail.ts'
import { operation } from '../operation.ts'

export const tickets = {
  createAuthTicket: operation({
    id: 'create_auth_ticket',
    group: 'tickets',
    method: 'POST',
    path: '/api/2/auth/ticket',
    access: authenticated,
    summary: 'Issue a ticket that proves to another server who the caller is',
    responses: { 200: Ticket },
  }),
  checkAuthTicket: operation({
    id: 'check_auth_ticket',
    group: 'tickets',
    method: 'POST',
    path: '/api/2/auth/ticket/check',
    access: anyone,
    summary: 'Exchange a ticket for the user it was issued to, once',
    body: Ticket,
    responses: { 200: ServiceUserDetail },
  }),
}
