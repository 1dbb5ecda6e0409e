import { scimProtocol } from '../../lib/features/scim/protocol.operations.ts'
import * as protocol from '../../lib/features/scim/protocol.use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(scimProtocol, protocol)
