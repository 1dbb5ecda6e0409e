import { tickets } from '../../lib/contract/operations/tickets.ts'
import { createHandler } from '../../lib/http/handler.ts'
import { checkAuthTicket } from './check.ts'
import { checkReturnUrl, continueToReturnUrl } from './continue.ts'
import { createAuthTicket } from './create.ts'

export const handler = createHandler(tickets, {
  createAuthTicket,
  checkAuthTicket,
  checkReturnUrl,
  continueToReturnUrl,
})
