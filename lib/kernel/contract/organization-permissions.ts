/**
 * What roles allow inside of an organization. Roles also have permissions of the APIs of products, which have other names: this
 * service checks only these.
 */
export const organizationPermissions = {
  'org:members:view': 'See the members of the organization and their roles.',
  'org:members:manage': 'Invite members, change their roles and remove them.',
  'org:settings:manage': 'Change the name, the slug and the look of the organization.',
  'org:sign-in:manage': 'Manage domains and the company sign-in of the organization.',
  'org:keys:manage': 'Create and delete API tokens of the organization.',
  'org:links:manage': 'Create access links in the name of the organization, and list and delete all of them.',
  'org:events:view': 'Read the audit events of the organization.',
  'org:ending:manage': 'Have the organization deleted after a grace period, and keep it after all.',
} as const

export type OrganizationPermission = keyof typeof organizationPermissions

export const organizationPermissionNames = Object.keys(
  organizationPermissions,
) as readonly OrganizationPermission[]
