import { verifiers } from '../../lib/accounts/users/user-fields.models.ts'
import { languages } from '../../lib/kernel/i18n/languages.ts'
import knownModels from './models.json' with { type: 'json' }
import ownModels from './own-models.json' with { type: 'json' }

/** What is known about a field, or about the items of a list. */
export interface Fact {
  type: string
  required?: boolean
  nullable?: boolean
  readOnly?: boolean
  enum?: string[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
}

const providerExtensions = {
  metadata_url_source: { type: 'string', nullable: true, maxLength: 2048 },
  nameid_attribute: { type: 'string', nullable: true, maxLength: 255 },
  allowed_groups: { type: 'string[]', nullable: true, minLength: 1, maxLength: 255 },
  organization_id: { type: 'integer', nullable: true, minimum: 1, maximum: 2 ** 31 - 1 },
  default_organization_roles: { type: 'string[]', nullable: true },
  required_for_domains: { type: 'boolean' },
  attribute_mapping: { type: 'AttributeMapping' },
  required_authn_contexts: { type: 'string[]', minLength: 1, maxLength: 255 },
  multi_factor_authn_contexts: { type: 'string[]', minLength: 1, maxLength: 255 },
  exempt_users: { type: 'integer[]', minimum: 1, maximum: 2 ** 31 - 1 },
}

const apiTokenExtensions = {
  scopes: { type: 'string[]', nullable: true, required: true, readOnly: true },
  expires: { type: 'date-time', nullable: true, required: true, readOnly: true },
  created_at: { type: 'date-time', required: true, readOnly: true },
  last_used_at: { type: 'date-time', nullable: true, required: true, readOnly: true },
}

/** Optional, so that no client requires it or fails because of it. */
const pageLanguage = {
  page_language: { type: 'string', nullable: true, enum: [...languages] },
}
const attributes = { attributes: { type: 'AttributeChange[]' } }
const extensions = { email_verified: { type: 'boolean', readOnly: true }, ...pageLanguage }

/**
 * `models.json` contains what published clients know, and `own-models.json` what this service adds to their responses. The
 * models of other operations are in `docs/reference/interface.json`.
 */
export const modelFacts: Record<string, Record<string, Fact>> = {
  ...knownModels,
  ...ownModels,
  ServiceUserProfile: {
    ...knownModels.ServiceUserProfile,
    // Optional, so that no client requires it or fails because of it.
    impersonated_by: { type: 'ServiceUserMini' },
    organization: { type: 'CurrentOrganization' },
    ...extensions,
    pending_email: { type: 'string', nullable: true, readOnly: true, minLength: 1 },
    recovery_codes_left: { type: 'integer', readOnly: true },
    access_link: { type: 'integer', readOnly: true },
    second_factor_required_from: { type: 'date-time', readOnly: true },
    resting_permissions: { type: 'string[]', readOnly: true },
    kept_by_directories: { type: 'KeptByDirectory[]', readOnly: true },
    authenticated_at: { type: 'date-time', readOnly: true },
    acr: { type: 'string', readOnly: true },
  },
  // Published clients know the session as optional. Every sign-in returns one.
  AuthLoginEndpointResponse: {
    ...knownModels.AuthLoginEndpointResponse,
    session_key: { type: 'string', required: true, minLength: 1 },
  },
  EvaluatePasswordEndpointResponse: {
    ...knownModels.EvaluatePasswordEndpointResponse,
    username: { type: 'string', minLength: 1 },
    policy: { type: 'PasswordPolicy' },
  },
  AuthLoginEndpointRequest: {
    ...knownModels.AuthLoginEndpointRequest,
    second_factor_setup: { type: 'boolean' },
    remember_device: { type: 'boolean' },
    ask_second_factor: { type: 'boolean' },
  },
  ServiceUserDetail: {
    ...knownModels.ServiceUserDetail,
    ...extensions,
    invitation: { type: 'UserInvitationState', nullable: true, readOnly: true },
    accepted_terms: { type: 'AcceptedTerms', nullable: true, readOnly: true },
    // Optional, so that no client requires it or fails because of it.
    external_id: { type: 'ExternalId' },
    created_at: { type: 'date-time', readOnly: true },
    has_legacy_password: { type: 'boolean', readOnly: true },
    attributes: { type: 'AttributeOfUser[]' },
    withheld_permissions: { type: 'string[]', readOnly: true },
    kept_by_directories: { type: 'KeptByDirectory[]', readOnly: true },
    rights_limit: { type: 'UserRightsLimit' },
    verified_by: { type: 'string', readOnly: true, enum: [...verifiers] },
    deletion: { type: 'DeletionRequest' },
  },
  ServiceUserDetailCreation: {
    ...knownModels.ServiceUserDetailUpdate,
    ...pageLanguage,
    ...attributes,
    invite: { type: 'boolean' },
  },
  ServiceUserDetailUpdate: { ...knownModels.ServiceUserDetailUpdate, ...pageLanguage, ...attributes },
  ServiceUserDetailPartialUpdate: {
    ...knownModels.ServiceUserDetailPartialUpdate,
    ...pageLanguage,
    ...attributes,
  },
  ServiceUserProfileUpdate: { ...knownModels.ServiceUserProfileUpdate, ...pageLanguage },
  ServiceUserProfilePartialUpdate: { ...knownModels.ServiceUserProfilePartialUpdate, ...pageLanguage },
  ServiceUser: { ...knownModels.ServiceUser, ...extensions },
  ChangePasswordRequest: {
    ...knownModels.ChangePasswordRequest,
    password_change_required: { type: 'boolean' },
  },
  CheckedUser: {
    ...knownModels.ServiceUserDetail,
    ...extensions,
    // Only present on request.
    context: { type: 'TicketContext' },
    // Only present for a ticket of an organization.
    organization: { type: 'CurrentOrganization' },
  },
  APIToken: { ...knownModels.APIToken, ...apiTokenExtensions },
  APITokenWithSecret: { ...knownModels.APITokenWithSecret, ...apiTokenExtensions },
  APITokenWithSecretUpdate: {
    ...knownModels.APITokenWithSecretUpdate,
    scopes: { type: 'string[]', nullable: true },
    expires: { type: 'date-time', nullable: true },
  },
  MediaRootPermission: {
    ...knownModels.MediaRootPermission,
    // 0 for the media roots of objects that were shared by their IDs.
    root: { ...knownModels.MediaRootPermission.root, minimum: 0 },
  },
  PasswordResetEndpointRequest: {
    ...knownModels.PasswordResetEndpointRequest,
    end_api_tokens: { type: 'boolean' },
  },
  OneTimeAccessToken: {
    ...knownModels.OneTimeAccessToken,
    // Only present for a link in the name of an organization.
    organization: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
  },
  RestrictedOneTimeAccessToken: {
    ...knownModels.RestrictedOneTimeAccessToken,
    // Optional, so that no client requires them or fails because of them.
    shared_by: { type: 'string', readOnly: true },
    organization_name: { type: 'string', readOnly: true },
    product: { type: 'string', nullable: true, readOnly: true },
    shared_items: { type: 'string[]', readOnly: true },
  },
  // Optional for the same reason: the metadata URL and the attribute that replaces transient name IDs.
  SAMLProvider: {
    ...knownModels.SAMLProvider,
    ...providerExtensions,
    domains: { type: 'string[]', readOnly: true },
    proposed_metadata_url: { type: 'string', nullable: true, readOnly: true },
    certificate_fingerprints: { type: 'string[]', readOnly: true },
    awaits_approval: { type: 'boolean', readOnly: true },
  },
  SAMLProviderUpdate: { ...knownModels.SAMLProviderUpdate, ...providerExtensions },
  SAMLProviderPartialUpdate: { ...knownModels.SAMLProviderPartialUpdate, ...providerExtensions },
}
