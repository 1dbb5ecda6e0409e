import { Ticket, TicketImpersonator } from '../../models/ticket.ts'
import { describeModel } from '../describe.ts'

export const ticketTexts = [
  describeModel(Ticket, {
    description:
      'A one-time ticket. It stands for its user until it is checked once or its lifetime of 60 seconds ends.',
    fields: { ticket: 'The value of the ticket. Send it to the server that shall learn who the user is.' },
    example: { ticket: 'lkt_00002aQ7vKz0Rw3sXn8eJd6mTg2uLc5aP7oVi91bYx4Hf' },
  }),
  describeModel(TicketImpersonator, {
    description: 'The administrator who impersonates the user.',
    fields: { id: 'The ID of the administrator.', username: 'The username of the administrator.' },
    example: { id: 1, username: 'admin' },
  }),
]
