import { samlProviders } from '../../lib/contract/operations/saml-providers/providers.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { deleteSamlProvider } from './delete.ts'
import * as domains from './domains.ts'
import * as keys from './keys.ts'
import * as oidcConnections from './oidc-connections.ts'
import * as providers from './providers.ts'
import * as setup from './setup.ts'

export const handler = createGroupHandler(samlProviders, {
  ...providers,
  deleteSamlProvider,
  ...domains,
  ...keys,
  ...oidcConnections,
  ...setup,
})
