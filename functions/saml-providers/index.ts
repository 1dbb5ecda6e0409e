import { samlProviders } from '../../lib/contract/operations/saml-providers/providers.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'
import { deleteSamlProvider } from './delete.ts'
import * as providers from './providers.ts'

export const handler = createGroupHandler(samlProviders, {
  ...providers,
  deleteSamlProvider,
  ...onDemand(
    () => import('./domains.ts'),
    'getSamlDomains',
    'createSamlDomain',
    'checkSamlDomain',
    'vouchForSamlDomain',
    'deleteSamlDomain',
  ),
  ...onDemand(() => import('./keys.ts'), 'parseSamlidpMetadata', 'refreshSamlidpMetadata', 'rotateSamlSpKey'),
  ...onDemand(
    () => import('./oidc-connections.ts'),
    'listOidcConnections',
    'getOidcConnection',
    'createOidcConnection',
    'patchOidcConnection',
    'deleteOidcConnection',
  ),
  ...onDemand(
    () => import('./setup.ts'),
    'createSamlSetup',
    'createSamlSetupLink',
    'getSamlSetupLinks',
    'revokeSamlSetupLink',
    'findSamlSetup',
    'setSamlSetupMetadata',
    'checkSamlSetupDomain',
    'removeSamlSetupDomain',
    'finishSamlSetup',
  ),
})
