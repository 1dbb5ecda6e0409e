import * as z from 'zod/mini'
import * as accessTokenRequests from './models/access-token-requests.ts'
import * as accessTokens from './models/access-tokens.ts'
import * as apiTokens from './models/api-tokens.ts'
import * as auditEvents from './models/audit-events.ts'
import * as branding from './models/branding.ts'
import * as emailChange from './models/email-change.ts'
import * as emailCodes from './models/email-codes.ts'
import * as groupUpdate from './models/group-update.ts'
import * as groups from './models/groups.ts'
import * as health from './models/health.ts'
import * as impersonation from './models/impersonation.ts'
import * as invitations from './models/invitations.ts'
import * as jwt from './models/jwt.ts'
import * as leaks from './models/leaks.ts'
import * as login from './models/login.ts'
import * as mediaPermissions from './models/media-permissions.ts'
import * as oidcClients from './models/oidc-clients.ts'
import * as oidcFlow from './models/oidc-flow.ts'
import * as oidcTokens from './models/oidc-tokens.ts'
import * as passkeys from './models/passkeys.ts'
import * as passwordChange from './models/password-change.ts'
import * as passwordPolicy from './models/password-policy.ts'
import * as passwordReset from './models/password-reset.ts'
import * as profile from './models/profile.ts'
import * as rateLimited from './models/rate-limited.ts'
import * as reauthentication from './models/reauthentication.ts'
import * as returnUrl from './models/return-url.ts'
import * as samlAccounts from './models/saml-accounts.ts'
import * as samlDiagnosis from './models/saml-diagnosis.ts'
import * as samlMessages from './models/saml-messages.ts'
import * as samlMetadata from './models/saml-metadata.ts'
import * as samlProviders from './models/saml-providers.ts'
import * as samlSpKey from './models/saml-sp-key.ts'
import * as securityReport from './models/security-report.ts'
import * as sessions from './models/sessions.ts'
import * as sharedObject from './models/shared-object.ts'
import * as signInPolicy from './models/sign-in-policy.ts'
import * as suppressedAddresses from './models/suppressed-addresses.ts'
import * as ticket from './models/ticket.ts'
import * as totp from './models/totp.ts'
import * as user from './models/user.ts'
import * as userDetail from './models/user-detail.ts'
import * as userInvitation from './models/user-invitation.ts'
import * as userMini from './models/user-mini.ts'
import * as userTemplates from './models/user-templates.ts'
import * as userUpdate from './models/user-update.ts'

const modules: readonly Readonly<Record<string, unknown>>[] = [
  accessTokenRequests,
  accessTokens,
  apiTokens,
  auditEvents,
  branding,
  emailCodes,
  groupUpdate,
  groups,
  health,
  impersonation,
  jwt,
  invitations,
  leaks,
  login,
  mediaPermissions,
  oidcClients,
  oidcFlow,
  oidcTokens,
  passkeys,
  emailChange,
  passwordChange,
  passwordPolicy,
  passwordReset,
  profile,
  rateLimited,
  reauthentication,
  returnUrl,
  samlAccounts,
  samlDiagnosis,
  samlMessages,
  samlMetadata,
  samlProviders,
  samlSpKey,
  securityReport,
  sessions,
  sharedObject,
  signInPolicy,
  suppressedAddresses,
  ticket,
  totp,
  userDetail,
  userMini,
  userTemplates,
  userInvitation,
  userUpdate,
  user,
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
