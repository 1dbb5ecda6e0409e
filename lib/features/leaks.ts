import type { LeakRow } from '../accounts/users/leak-row.ts'
import { accessLink } from './access-links/leak-rows.ts'
import { apiToken } from './api-tokens/leak-rows.ts'
import { setupLink } from './connections/saml/setup/leak-rows.ts'
import { emailConfirmation } from './directory/leak-rows.ts'
import { invitation, signUp } from './invitations/leak-rows.ts'
import type { HoldingsWith } from './leaked-credentials/holdings.records.ts'
import { securityReport } from './leaked-credentials/leak-rows.ts'
import { clientSecret } from './oauth/leak-rows.ts'
import { organizationInvitation, organizationToken } from './organizations/leak-rows.ts'
import { resetToken } from './passwords/leak-rows.ts'
import { rememberedDevice } from './remembered-devices/leak-rows.ts'
import { scimToken } from './scim/leak-rows.ts'
import { secondFactorToken } from './second-factor/leak-rows.ts'
import { session } from './sign-in/leak-rows.ts'
import { ticket } from './tickets/leak-rows.ts'

/** What finds and ends a leaked credential of each kind. A new kind does not compile without its row. */
export const leaks: Readonly<Record<HoldingsWith<'leak', 'ends'>, LeakRow>> = {
  session,
  api_token: apiToken,
  auth_ticket: ticket,
  organization_token: organizationToken,
  reset_token: resetToken,
  access_token: accessLink,
  second_factor_token: secondFactorToken,
  security_report: securityReport,
  email_confirmation: emailConfirmation,
  oidc_client_secret: clientSecret,
  invitation,
  sign_up: signUp,
  organization_invitation: organizationInvitation,
  saml_setup: setupLink,
  remembered_device: rememberedDevice,
  scim_token: scimToken,
}
