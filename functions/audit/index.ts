import { audit } from '../../lib/contract/operations/audit.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as blocks from './blocks.ts'
import * as list from './list.ts'
import * as overview from './overview.ts'

export const handler = createGroupHandler(audit, {
  ...list,
  ...overview,
  ...blocks,
})
