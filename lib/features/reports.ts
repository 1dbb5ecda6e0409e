import type { FindRevoked } from '../accounts/users/leak-row.ts'
import { findRevokedApiTokens } from './api-tokens/report-rows.ts'
import { findRevokedCompanyAccounts } from './connections/report-rows.ts'
import { findRevokedSetupLinks } from './connections/saml/setup/report-rows.ts'
import type { HoldingsWith } from './leaked-credentials/holdings.records.ts'
import type { MadeKind } from './leaked-credentials/made.records.ts'
import {
  findRevokedOrganizationInvitations,
  findRevokedOrganizationTokens,
} from './organizations/report-rows.ts'
import { findRevokedPasskeys } from './passkeys/report-rows.ts'
import { findRevokedScimTokens } from './scim/report-rows.ts'

/**
 * Every kind of credential that a report removes if it was added since the reported change. A new kind stores when each
 * credential was added, refuses those for which `isCredentialRevoked`, and is added here.
 */
export const revokedCredentials: Readonly<
  Record<Exclude<HoldingsWith<'report', 'since'>, MadeKind>, FindRevoked>
> = {
  api_token: findRevokedApiTokens,
  linked_account: findRevokedCompanyAccounts,
  passkey: findRevokedPasskeys,
}

/** What a report ends of the things that belong to others. A new kind notes its maker with `buildMadeSteps`. */
export const revokedThings: Readonly<
  Record<Extract<HoldingsWith<'report', 'since'>, MadeKind>, FindRevoked>
> = {
  organization_token: findRevokedOrganizationTokens,
  organization_invitation: findRevokedOrganizationInvitations,
  saml_setup: findRevokedSetupLinks,
  scim_token: findRevokedScimTokens,
}
