import { endsWithSessions, type HoldingRow } from '../accounts/users/holding-row.ts'
import { accessLink } from './access-links/holding-rows.ts'
import { apiToken } from './api-tokens/holding-rows.ts'
import { setupLink } from './connections/saml/setup/holding-rows.ts'
import { emailConfirmation } from './directory/holding-rows.ts'
import { invitation } from './invitations/holding-rows.ts'
import { securityReport } from './leaked-credentials/holding-rows.ts'
import type { HoldingsWith } from './leaked-credentials/holdings.records.ts'
import { grant } from './oauth/holding-rows.ts'
import { organizationInvitation } from './organizations/holding-rows.ts'
import { passkey } from './passkeys/holding-rows.ts'
import { password, resetToken } from './passwords/holding-rows.ts'
import { rememberedDevice } from './remembered-devices/holding-rows.ts'
import { session } from './sign-in/holding-rows.ts'

/**
 * How everything ends that a user holds, in the order in which people read about it. A new kind does not compile without its row, unless the
 * registry says that it stays.
 */
export const everything: Readonly<
  Record<HoldingsWith<'everything', 'ends' | 'option'>, HoldingRow | typeof endsWithSessions>
> = {
  access_token: accessLink,
  api_token: apiToken,
  session,
  grant,
  remembered_device: rememberedDevice,
  reset_token: resetToken,
  invitation,
  organization_invitation: organizationInvitation,
  saml_setup: setupLink,
  email_confirmation: emailConfirmation,
  security_report: securityReport,
  passkey,
  password,
  auth_ticket: endsWithSessions,
  second_factor_token: endsWithSessions,
  email_code: endsWithSessions,
  organization_join_code: endsWithSessions,
  connection_sign_in: endsWithSessions,
  authorization_code: endsWithSessions,
  refresh_token: endsWithSessions,
  device_authorization: endsWithSessions,
}
