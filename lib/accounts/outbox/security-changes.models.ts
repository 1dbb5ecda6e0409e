/**
 * Every change of an organization that its owners get an email about. Only the owner or member who made it gets a link to report it: the
 * others look at the thing, and end it by their own rights.
 */
export const ownerChanges = [
  'organization_owner_added',
  'organization_token_created',
  'organization_sign_in_added',
  'organization_domain_proven',
] as const

/** The same, what a report of someone else shows, and what a directory does. */
export const ownerNotices = [...ownerChanges, 'organization_roles_reported', 'directory_people_left'] as const

export type OwnerNoticeKind = (typeof ownerNotices)[number]

/** Every change that a user gets a security email about: see the messages of `lib/features/mail`. */
export const securityChanges = [
  'password_changed',
  'password_reset',
  'password_set',
  'email_changed',
  'email_moved',
  'second_factor_enabled',
  'second_factor_disabled',
  'recovery_code_used',
  'device_remembered',
  'remembered_device_reused',
  'passkey_added',
  'passkey_removed',
  'passkey_cloned',
  'passkey_required',
  'passkey_optional',
  'recovery_codes_renewed',
  'api_token_created',
  'api_token_revoked',
  'company_account_linked',
  'company_account_unlinked',
  'sign_in_by_company',
  'credential_leaked',
  'sign_in_locked',
  'email_restored',
  'sign_in_ended',
  'new_device',
  'account_deletion_requested',
  'account_deletion_withdrawn',
  ...ownerChanges,
] as const

export type SecurityChangeKind = (typeof securityChanges)[number]

/** No one signed in for these, so there is nothing to undo. */
export const unreportableChanges: readonly SecurityChangeKind[] = [
  'email_moved',
  'email_restored',
  'passkey_cloned',
  'remembered_device_reused',
  'sign_in_locked',
]

/** Every change that administrators get an email about. Each has its messages, too. */
export const administratorChanges = [
  'administrator_added',
  'administrator_group_changed',
  'administrator_sign_in_set',
  'account_deletion_asked',
  'directory_owner_kept',
  'directory_people_left',
  'sign_in_hook_failed',
] as const

export type AdministratorChangeKind = (typeof administratorChanges)[number]

/** A change of an account that its user gets an email about. */
export interface SecurityChange {
  readonly kind: SecurityChangeKind
}
