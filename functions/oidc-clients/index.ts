import { oidcClients } from '../../lib/contract/operations/oidc-clients.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { createOidcClient } from './create.ts'
import { deleteOidcClient } from './delete.ts'
import { getAllOidcClients, getOidcClient } from './read.ts'
import { patchOidcClient, renewOidcClientSecret } from './update.ts'

export const handler = createGroupHandler(oidcClients, {
  getAllOidcClients,
  createOidcClient,
  getOidcClient,
  patchOidcClient,
  deleteOidcClient,
  renewOidcClientSecret,
})
