import { tickets } from '../../lib/features/tickets/operations.ts'
import * as useCases from '../../lib/features/tickets/use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(tickets, {
  ...useCases,
})
