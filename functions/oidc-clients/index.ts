import { oidcClients } from '../../lib/contract/operations/oidc-clients.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as apis from './apis.ts'
import * as clients from './clients.ts'

export const handler = createGroupHandler(oidcClients, {
  ...apis,
  ...clients,
})
