import { oidcClients } from '../../lib/contract/operations/oidc-clients.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as apis from './apis.ts'
import * as create from './create.ts'
import * as deletion from './delete.ts'
import * as read from './read.ts'
import * as update from './update.ts'

export const handler = createGroupHandler(oidcClients, {
  ...apis,
  ...create,
  ...deletion,
  ...read,
  ...update,
})
