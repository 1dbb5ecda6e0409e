import { tickets } from '../../lib/contract/operations/tickets.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as useCases from './use-cases.ts'

export const handler = createGroupHandler(tickets, {
  ...useCases,
})
