import * as z from 'zod/mini'
import * as accessTokens from '../features/access-links/models.ts'
import * as accessTokenRequests from '../features/access-links/requests.models.ts'
import * as apiTokens from '../features/api-tokens/models.ts'
import * as audit from '../features/audit/models.ts'
import * as overview from '../features/audit/overview.models.ts'
import * as branding from '../features/branding/models.ts'
import * as samlDiagnosis from '../features/connections/diagnosis.models.ts'
import * as oidcConnections from '../features/connections/oidc/models.ts'
import * as signInQuestions from '../features/connections/questions.models.ts'
import * as connectionRules from '../features/connections/rules.models.ts'
import * as saml from '../features/connections/saml/accounts.models.ts'
import * as samlProviders from '../features/connections/saml/models.ts'
import * as samlSetup from '../features/connections/setup.models.ts'
import * as userAttributes from '../features/directory/attributes.models.ts'
import * as groups from '../features/directory/groups.models.ts'
import * as profile from '../features/directory/profile.models.ts'
import * as userTemplates from '../features/directory/templates.models.ts'
import * as userFields from '../features/directory/user-fields.models.ts'
import * as users from '../features/directory/users.models.ts'
import * as invitations from '../features/invitations/models.ts'
import * as signUp from '../features/invitations/sign-up.models.ts'
import * as leaks from '../features/leaked-credentials/models.ts'
import * as oidcClients from '../features/oauth/clients.models.ts'
import * as oidcDevices from '../features/oauth/devices.models.ts'
import * as oidcFlow from '../features/oauth/flow.models.ts'
import * as jwt from '../features/oauth/jwt.models.ts'
import * as oidcMetadata from '../features/oauth/metadata.models.ts'
import * as protectedApis from '../features/oauth/protected-apis.models.ts'
import * as oidcPushedRequests from '../features/oauth/pushed-requests.models.ts'
import * as oidcTokens from '../features/oauth/tokens.models.ts'
import * as reference from '../features/pages/reference.models.ts'
import * as passkeys from '../features/passkeys/models.ts'
import * as passkeyOptions from '../features/passkeys/options.models.ts'
import * as passwords from '../features/passwords/models.ts'
import * as signIn from '../features/sign-in/models.ts'
import * as sessions from '../features/sign-in/sessions.models.ts'
import * as tickets from '../features/tickets/models.ts'
import * as userFiles from '../features/user-files/models.ts'
import * as publishedLinkFields from '../published-clients/link-fields.ts'
import * as publishedLinkOperations from '../published-clients/link-operations.ts'

const modules: readonly Readonly<Record<string, unknown>>[] = [
  accessTokenRequests,
  accessTokens,
  apiTokens,
  audit,
  branding,
  connectionRules,
  groups,
  invitations,
  jwt,
  leaks,
  publishedLinkFields,
  publishedLinkOperations,
  oidcClients,
  oidcDevices,
  oidcFlow,
  oidcMetadata,
  oidcPushedRequests,
  oidcTokens,
  protectedApis,
  overview,
  passkeyOptions,
  passkeys,
  passwords,
  profile,
  reference,
  oidcConnections,
  saml,
  samlDiagnosis,
  samlSetup,
  signInQuestions,
  samlProviders,
  sessions,
  signIn,
  signUp,
  tickets,
  userAttributes,
  userFields,
  userFiles,
  userTemplates,
  users,
]

/**
 * Every model by the name that clients know. Functions import single models instead, so that their bundles stay small.
 */
export const models: ReadonlyMap<string, z.ZodMiniType> = new Map(
  modules
    .flatMap((module) => Object.entries(module))
    .flatMap(([name, value]) => (value instanceof z.ZodMiniType ? [[name, value] as const] : []))
    // Lowercase names are parts of models.
    .filter(([name]) => /^[A-Z]/.test(name))
    // Module loaders order exports differently, and one schema can have two names.
    .sort(([a], [b]) => (a < b ? -1 : 1)),
)
