import { connections } from '../../lib/features/connections/operations.ts'
import * as providers from '../../lib/features/connections/saml/providers.use-cases.ts'
import { scimDirectory } from '../../lib/features/scim/directory.operations.ts'
import { scim } from '../../lib/features/scim/operations.ts'
import { scimSetup } from '../../lib/features/scim/setup.operations.ts'
import { createGroupHandler, onDemand } from '../create-group-handler.ts'

export const handler = createGroupHandler(
  { ...connections, ...scim, ...scimDirectory, ...scimSetup },
  {
    ...providers,
    ...onDemand(
      () => import('../../lib/features/connections/domains.use-cases.ts'),
      'getConnectionDomains',
      'createConnectionDomain',
      'checkConnectionDomain',
      'vouchForConnectionDomain',
      'deleteConnectionDomain',
    ),
    ...onDemand(
      () => import('../../lib/features/connections/saml/keys.use-cases.ts'),
      'parseSamlidpMetadata',
      'refreshSamlidpMetadata',
      'rotateSamlSpKey',
    ),
    ...onDemand(
      () => import('../../lib/features/connections/oidc/connections.use-cases.ts'),
      'listOidcConnections',
      'getOidcConnection',
      'createOidcConnection',
      'patchOidcConnection',
      'deleteOidcConnection',
    ),
    ...onDemand(
      () => import('../../lib/features/connections/saml/setup.use-cases.ts'),
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
    ...onDemand(
      () => import('../../lib/features/connections/organization-sign-in.use-cases.ts'),
      'getOrganizationSignIn',
      'createOrganizationSignIn',
      'deleteOrganizationSignIn',
      'checkOrganizationDomain',
      'removeOrganizationDomain',
      'approveConnection',
    ),
    ...onDemand(
      () => import('../../lib/features/scim/settings.use-cases.ts'),
      'getConnectionScim',
      'setConnectionScim',
      'createConnectionScimToken',
      'deleteConnectionScimToken',
      'getOrganizationScim',
      'setOrganizationScim',
      'createOrganizationScimToken',
      'deleteOrganizationScimToken',
    ),
    ...onDemand(
      () => import('../../lib/features/scim/setup.use-cases.ts'),
      'startSamlSetupDirectory',
      'createSamlSetupDirectoryToken',
    ),
    ...onDemand(
      () => import('../../lib/features/scim/directory.use-cases.ts'),
      'listConnectionScimUsers',
      'listConnectionScimGroups',
      'listConnectionScimCalls',
      'previewConnectionScim',
      'assignConnectionScimUser',
      'bringBackConnectionScimUser',
      'listOrganizationScimUsers',
      'listOrganizationScimGroups',
      'listOrganizationScimCalls',
      'previewOrganizationScim',
      'assignOrganizationScimUser',
      'bringBackOrganizationScimUser',
    ),
    ...onDemand(
      () => import('../../lib/features/connections/stop-sign-ins.use-cases.ts'),
      'stopOrganizationSignIns',
    ),
  },
)
