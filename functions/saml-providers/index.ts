import { samlProviders } from '../../lib/contract/operations/saml-providers/providers.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import * as create from './create.ts'
import { deleteSamlProvider } from './delete.ts'
import * as domains from './domains.ts'
import * as metadata from './metadata.ts'
import * as oidcConnections from './oidc-connections.ts'
import * as read from './read.ts'
import * as rotate from './rotate.ts'
import * as setup from './setup.ts'
import * as setupLinks from './setup-links.ts'
import * as update from './update.ts'

export const handler = createGroupHandler(samlProviders, {
  ...create,
  deleteSamlProvider,
  ...domains,
  ...metadata,
  ...oidcConnections,
  ...read,
  ...rotate,
  ...setup,
  ...setupLinks,
  ...update,
})
