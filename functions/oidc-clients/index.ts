import * as managed from '../../lib/features/configuration/managed.use-cases.ts'
import * as agentPolicy from '../../lib/features/oauth/agent-policy.use-cases.ts'
import * as apis from '../../lib/features/oauth/apis.use-cases.ts'
import { oidcClients } from '../../lib/features/oauth/clients.operations.ts'
import * as clients from '../../lib/features/oauth/clients.use-cases.ts'
import { createGroupHandler } from '../create-group-handler.ts'

export const handler = createGroupHandler(oidcClients, {
  ...agentPolicy,
  ...apis,
  ...clients,
  ...managed,
})
