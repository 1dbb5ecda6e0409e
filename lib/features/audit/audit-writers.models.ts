import type { AuditEventName } from '../../kernel/contract/audit-events.ts'
import type { Operation } from '../../kernel/contract/operation.ts'
import type { RateLimitName } from '../../kernel/limits/rate-limits.ts'

/** What writes audit events and counts rate limits. */
export interface Writer {
  readonly audit: readonly AuditEventName[]
  readonly limits: readonly RateLimitName[]
}

/**
 * What writes audit events without an operation: functions without routes, by their names, and the command line. The tests fail if a
 * function writes any other.
 */
export const backgroundWriters = {
  'account-deletion': {
    audit: [
      'user.deleted',
      'organization.deleted',
      'organization.recounted',
      'organization.member_removed',
      'organization.invitation_revoked',
      'organization.api_token_deleted',
      'saml_provider.deleted',
      'oidc_connection.deleted',
      'session.ended',
      'access_token.deleted',
      'admin_access.taken',
    ],
    limits: [],
  },
  'backchannel-logout': {
    audit: ['oidc_client.logout_failed', 'oidc_connection.token_not_revoked', 'session.ended'],
    limits: [],
  },
  config: {
    audit: [
      'protected_api.created',
      'protected_api.changed',
      'protected_api.deleted',
      'group.created',
      'group.changed',
      'group.deleted',
      'admin_access.given',
      'admin_access.taken',
      'user_template.created',
      'user_template.changed',
      'user_template.deleted',
      'oidc_client.created',
      'oidc_client.changed',
      'oidc_client.secret_renewed',
      'oidc_client.secret_ended',
      'user.created',
      'user.changed',
      'api_token.created',
      'api_token.changed',
      'api_token.deleted',
      'oidc_client.deleted',
      'saml_provider.created',
      'saml_provider.changed',
      'saml_provider.deleted',
      'connection.domain_added',
      'connection.domain_removed',
      'oidc_connection.created',
      'oidc_connection.changed',
      'oidc_connection.deleted',
      'user_attributes.changed',
      'password_policy.changed',
      'sign_in_policy.changed',
      'sign_up_policy.changed',
      'agent_policy.changed',
      'organization_policy.changed',
      'organization_roles.changed',
      'branding.changed',
      'managed.transferred',
      'session.ended',
    ],
    limits: [],
  },
  'config-product': {
    audit: [
      'protected_api.created',
      'protected_api.changed',
      'protected_api.deleted',
      'oidc_client.created',
      'oidc_client.changed',
      'oidc_client.deleted',
      'oidc_client.secret_renewed',
      'oidc_client.secret_ended',
      'managed.transferred',
    ],
    limits: [],
  },
  'mail-events': { audit: ['mail.suppressed'], limits: [] },
  mailer: {
    audit: [
      'email.confirmation_link_made',
      'email.confirmation_sent',
      'email_code.sent',
      'invitation.link_made',
      'invitation.sent',
      'password.reset_link_made',
      'password.reset_sent',
      'password.reset_not_possible',
      'mail.given_up',
    ],
    limits: [
      'resetRequestsPerAccount',
      'resetRequestsPerRequester',
      'lockedSignInEmails',
      'emailConfirmationsPerRecipient',
      'invitationsPerRecipient',
      'invitationsPerRecipientAndOrganization',
      'provenInvitationsPerRecipient',
      'emailCodesPerAccount',
      'emailCodesPerRequester',
      'joinCodesPerRecipient',
      'signUpsPerDomain',
      'signUpsPerRecipient',
      'signUpNoticesPerApprover',
      'securityNotices',
    ],
  },
  'first-admin': { audit: ['user.invited'], limits: [] },
  'connection-refresh': {
    audit: [
      'saml_provider.refreshed',
      'saml_provider.certificate_ending',
      'connection.domain_proven',
      'connection.domain_lost',
      'connection.approval_requested',
      'saml_provider.refresh_failed',
    ],
    limits: [],
  },
  'signing-keys': { audit: ['signing_key.created', 'signing_key.withdrawn'], limits: [] },
  'command line': {
    audit: [
      'users.imported',
      'user.renamed',
      'users.exported',
      'group.created',
      'admin_access.given',
      'admin_access.taken',
      'user.deleted',
      'access_token.deleted',
      'user.rescued',
      'password.reset_link_made',
      'totp.disabled',
      'passkey.removed',
      'api_token.deleted',
      'company_account.unlinked',
      'saml_provider.changed',
      'oidc_connection.changed',
      'organization.created',
      'organization.changed',
      'organization.restored',
      'organization.member_added',
      'organization.member_changed',
      'organization.member_removed',
      'organization.invitation_revoked',
      'organization.api_token_deleted',
    ],
    limits: [],
  },
} as const satisfies Readonly<Record<string, Writer>>

/** Lists the audit events that an operation can write: its own, and that of a refusal for lack of a permission. */
export const listAuditEvents = ({ audit = [] }: Operation): readonly AuditEventName[] => [
  ...audit,
  'access.denied',
]
