import { audit } from '../../lib/contract/operations/audit.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as blocks from './blocks.ts'
import * as overview from './overview.ts'
import * as useCases from './use-cases.ts'

export const handler = createGroupHandler(audit, {
  ...useCases,
  ...overview,
  ...blocks,
})
