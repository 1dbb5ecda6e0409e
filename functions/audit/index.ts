import { audit } from '../../lib/contract/operations/audit.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as list from './list.ts'
import * as overview from './overview.ts'
import * as rateLimited from './rate-limited.ts'
import * as suppressedAddresses from './suppressed-addresses.ts'

export const handler = createGroupHandler(audit, {
  ...list,
  ...overview,
  ...rateLimited,
  ...suppressedAddresses,
})
