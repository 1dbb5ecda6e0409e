import * as z from 'zod/mini'
import * as credentialUse from '../accounts/callers/credential-use.models.ts'
import * as groups from '../accounts/groups/groups.models.ts'
import * as userAttributes from '../accounts/users/attributes.models.ts'
import * as keptByDirectory from '../accounts/users/kept-by-directory.models.ts'
import * as userFields from '../accounts/users/user-fields.models.ts'
import * as users from '../accounts/users/users.models.ts'
import * as publishedLinkFields from '../published-clients/link-fields.ts'
import * as publishedLinkOperations from '../published-clients/link-operations.ts'
import * as handOver from './access-links/hand-over.models.ts'
import * as accessLinks from './access-links/models.ts'
import * as organizationLinks from './access-links/organization.models.ts'
import * as accessLinkRequests from './access-links/requests.models.ts'
import * as apiTokens from './api-tokens/models.ts'
import * as activity from './audit/activity.models.ts'
import * as audit from './audit/models.ts'
import * as overview from './audit/overview.models.ts'
import * as branding from './branding/models.ts'
import * as managed from './configuration/managed.models.ts'
import * as companyAccounts from './connections/accounts.models.ts'
import * as samlDiagnosis from './connections/diagnosis.models.ts'
import * as connectionDomains from './connections/domains.models.ts'
import * as oidcConnections from './connections/oidc/models.ts'
import * as organizationSignIn from './connections/organization-sign-in.models.ts'
import * as signInQuestions from './connections/questions.models.ts'
import * as connectionRules from './connections/rules.models.ts'
import * as samlMessages from './connections/saml/messages.models.ts'
import * as samlProviders from './connections/saml/models.ts'
import * as samlSetup from './connections/saml/setup.models.ts'
import * as userTemplates from './directory/templates/templates.models.ts'
import * as profile from './directory/users/profile.models.ts'
import * as hookConsole from './hook-console/models.ts'
import * as invitations from './invitations/models.ts'
import * as signUp from './invitations/sign-up.models.ts'
import * as leaks from './leaked-credentials/models.ts'
import * as leavers from './leavers/models.ts'
import * as emailTextDocuments from './mail/own-texts/document.models.ts'
import * as emailTexts from './mail/own-texts/models.ts'
import * as agentPolicy from './oauth/agent-policy.models.ts'
import * as clients from './oauth/clients.models.ts'
import * as deviceSignIn from './oauth/devices.models.ts'
import * as oauthFlow from './oauth/flow.models.ts'
import * as jwt from './oauth/jwt.models.ts'
import * as metadata from './oauth/metadata.models.ts'
import * as protectedApis from './oauth/protected-apis.models.ts'
import * as pushedRequests from './oauth/pushed-requests.models.ts'
import * as oauthTokens from './oauth/tokens.models.ts'
import * as organizationBranding from './organizations/branding.models.ts'
import * as organizationEnding from './organizations/ending.models.ts'
import * as organizationEvents from './organizations/events.models.ts'
import * as organizationInvitations from './organizations/invitations.models.ts'
import * as organizations from './organizations/models.ts'
import * as organizationPolicy from './organizations/policy.models.ts'
import * as organizationTokens from './organizations/tokens.models.ts'
import * as reference from './pages/reference.models.ts'
import * as wellKnown from './pages/well-known.models.ts'
import * as passkeys from './passkeys/models.ts'
import * as passkeyOptions from './passkeys/options.models.ts'
import * as passwords from './passwords/models.ts'
import * as rememberedDevices from './remembered-devices/models.ts'
import * as scimAgreements from './scim/agreements.models.ts'
import * as scimDirectory from './scim/directory.models.ts'
import * as scim from './scim/models.ts'
import * as signIn from './sign-in/models.ts'
import * as sessions from './sign-in/sessions.models.ts'
import * as signInWays from './sign-in/ways.models.ts'
import * as tickets from './tickets/models.ts'
import * as userFiles from './user-files/models.ts'

const modules: readonly Readonly<Record<string, unknown>>[] = [
  organizationLinks,
  accessLinkRequests,
  accessLinks,
  handOver,
  activity,
  apiTokens,
  audit,
  branding,
  emailTextDocuments,
  emailTexts,
  connectionRules,
  credentialUse,
  groups,
  hookConsole,
  invitations,
  jwt,
  keptByDirectory,
  leaks,
  leavers,
  managed,
  publishedLinkFields,
  publishedLinkOperations,
  clients,
  agentPolicy,
  deviceSignIn,
  oauthFlow,
  metadata,
  pushedRequests,
  oauthTokens,
  protectedApis,
  organizationBranding,
  organizationEvents,
  organizationEnding,
  organizationInvitations,
  organizationSignIn,
  organizationPolicy,
  organizations,
  organizationTokens,
  overview,
  passkeyOptions,
  passkeys,
  passwords,
  profile,
  reference,
  wellKnown,
  oidcConnections,
  companyAccounts,
  connectionDomains,
  samlMessages,
  samlDiagnosis,
  samlSetup,
  signInQuestions,
  samlProviders,
  sessions,
  signInWays,
  rememberedDevices,
  scim,
  scimAgreements,
  scimDirectory,
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
