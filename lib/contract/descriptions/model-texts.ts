import type { ModelText } from './describe.ts'
import { accessTokenRequestsTexts } from './models/access-token-requests.ts'
import { accessTokensTexts } from './models/access-tokens.ts'
import { apiTokensTexts } from './models/api-tokens.ts'
import { auditEventsTexts } from './models/audit-events.ts'
import { brandingTexts } from './models/branding.ts'
import { emailChangeTexts } from './models/email-change.ts'
import { emailCodesTexts } from './models/email-codes.ts'
import { groupUpdateTexts } from './models/group-update.ts'
import { groupsTexts } from './models/groups.ts'
import { healthTexts } from './models/health.ts'
import { impersonationTexts } from './models/impersonation.ts'
import { invitationsTexts } from './models/invitations.ts'
import { jwtTexts } from './models/jwt.ts'
import { leaksTexts } from './models/leaks.ts'
import { loginTexts } from './models/login.ts'
import { mediaPermissionsTexts } from './models/media-permissions.ts'
import { oidcClientsTexts } from './models/oidc-clients.ts'
import { oidcFlowTexts } from './models/oidc-flow.ts'
import { oidcTokensTexts } from './models/oidc-tokens.ts'
import { passkeyOptionsTexts } from './models/passkey-options.ts'
import { passkeysTexts } from './models/passkeys.ts'
import { passwordChangeTexts } from './models/password-change.ts'
import { passwordPolicyTexts } from './models/password-policy.ts'
import { passwordResetTexts } from './models/password-reset.ts'
import { profileTexts } from './models/profile.ts'
import { rateLimitedTexts } from './models/rate-limited.ts'
import { reauthenticationTexts } from './models/reauthentication.ts'
import { returnUrlTexts } from './models/return-url.ts'
import { samlAccountsTexts } from './models/saml-accounts.ts'
import { samlDiagnosisTexts } from './models/saml-diagnosis.ts'
import { samlMessagesTexts } from './models/saml-messages.ts'
import { samlMetadataTexts } from './models/saml-metadata.ts'
import { samlProvidersTexts } from './models/saml-providers.ts'
import { samlSpKeyTexts } from './models/saml-sp-key.ts'
import { securityReportTexts } from './models/security-report.ts'
import { sessionsTexts } from './models/sessions.ts'
import { signInPolicyTexts } from './models/sign-in-policy.ts'
import { suppressedAddressesTexts } from './models/suppressed-addresses.ts'
import { ticketTexts } from './models/ticket.ts'
import { totpTexts } from './models/totp.ts'
import { userTexts } from './models/user.ts'
import { userDetailTexts } from './models/user-detail.ts'
import { userMiniTexts } from './models/user-mini.ts'
import { userTemplatesTexts } from './models/user-templates.ts'
import { userUpdateTexts } from './models/user-update.ts'

/** The texts of every model with a name. */
export const modelTexts: readonly ModelText[] = [
  ...accessTokenRequestsTexts,
  ...accessTokensTexts,
  ...apiTokensTexts,
  ...auditEventsTexts,
  ...brandingTexts,
  ...emailChangeTexts,
  ...emailCodesTexts,
  ...groupUpdateTexts,
  ...groupsTexts,
  ...healthTexts,
  ...impersonationTexts,
  ...invitationsTexts,
  ...jwtTexts,
  ...leaksTexts,
  ...loginTexts,
  ...mediaPermissionsTexts,
  ...oidcClientsTexts,
  ...oidcFlowTexts,
  ...oidcTokensTexts,
  ...passkeyOptionsTexts,
  ...passkeysTexts,
  ...passwordChangeTexts,
  ...passwordPolicyTexts,
  ...passwordResetTexts,
  ...profileTexts,
  ...rateLimitedTexts,
  ...reauthenticationTexts,
  ...returnUrlTexts,
  ...samlAccountsTexts,
  ...samlDiagnosisTexts,
  ...samlMessagesTexts,
  ...samlMetadataTexts,
  ...samlProvidersTexts,
  ...samlSpKeyTexts,
  ...securityReportTexts,
  ...sessionsTexts,
  ...signInPolicyTexts,
  ...suppressedAddressesTexts,
  ...ticketTexts,
  ...totpTexts,
  ...userDetailTexts,
  ...userMiniTexts,
  ...userTemplatesTexts,
  ...userUpdateTexts,
  ...userTexts,
]
