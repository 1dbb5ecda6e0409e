import { connectionDomains } from './domains.operations.ts'
import { oidcConnections } from './oidc/operations.ts'
import { organizationSignIn } from './organization-sign-in.operations.ts'
import { samlKeys } from './saml/keys.operations.ts'
import { samlProviders } from './saml/operations.ts'
import { samlSetup } from './saml/setup.operations.ts'

/** What administrators do with connections, and customers who set one up. */
export const connections = {
  ...samlProviders,
  ...samlSetup,
  ...connectionDomains,
  ...samlKeys,
  ...oidcConnections,
  ...organizationSignIn,
}
