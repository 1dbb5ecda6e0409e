import { tickets } from '../../lib/contract/operations/tickets.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { checkAuthTicket } from './check.ts'
import { checkReturnUrl, continueToReturnUrl } from './continue.ts'
import { createAuthTicket } from './create.ts'

export const handler = createGroupHandler(tickets, {
  createAuthTicket,
  checkAuthTicket,
  checkReturnUrl,
  continueToReturnUrl,
})
