import type { AuditEventName } from './audit-events.ts'

/**
 * The audit events of which the people of an organization see a part. In `membership`, the affected user is a member, or was one. All
 * other events of an organization stay with the service.
 */
export const organizationEvents = {
  'organization.created': 'organization',
  'organization.changed': 'organization',
  'organization.slug_released': 'organization',
  'organization.ending_requested': 'organization',
  'organization.ending_withdrawn': 'organization',
  'organization.restored': 'organization',
  'organization.member_added': 'membership',
  'organization.member_changed': 'membership',
  'organization.member_removed': 'membership',
  'organization.invited': 'organization',
  'organization.invitation_resent': 'organization',
  'organization.invitation_revoked': 'organization',
  'organization.invitation_accepted': 'membership',
  // Who declined never became a member.
  'organization.invitation_declined': 'organization',
  'organization.api_token_created': 'organization',
  'organization.api_token_deleted': 'organization',
  'access_token.created': 'organization',
  'access_token.deleted': 'organization',
  'credential.leaked': 'organization',
  'saml_provider.created': 'organization',
  'saml_provider.changed': 'organization',
  'saml_provider.refreshed': 'organization',
  'saml_provider.sp_key_added': 'organization',
  'saml_provider.sp_key_switched': 'organization',
  'saml_provider.certificate_ending': 'organization',
  'connection.domain_vouched': 'organization',
  'saml_provider.deleted': 'organization',
  'connection.domain_added': 'organization',
  'connection.domain_proven': 'organization',
  'connection.domain_lost': 'organization',
  'connection.domain_removed': 'organization',
  'connection.approval_requested': 'organization',
  'connection.approved': 'organization',
  'connection.stopped': 'organization',
  'saml_setup.link_created': 'organization',
  'saml_setup.link_opened': 'organization',
  'saml_setup.link_revoked': 'organization',
  'saml_setup.changed': 'organization',
  'oidc_connection.created': 'organization',
  'oidc_connection.changed': 'organization',
  'oidc_connection.deleted': 'organization',
} as const satisfies Partial<Record<AuditEventName, 'organization' | 'membership'>>

export type OrganizationEventName = keyof typeof organizationEvents

export const isOrganizationEvent = (event: string): event is OrganizationEventName =>
  Object.hasOwn(organizationEvents, event)
