/** The permissions that this service checks. Products may store more of the same form, `word:word[:word]`. */
export const permissions = {
  'system:admin-access': 'Administer the service. It includes every other permission.',
  'users:view': 'Read users, groups and user templates.',
  'users:manage':
    'Create, change and delete users, groups and user templates. Accounts, groups and user templates with a permission that the caller lacks are excluded.',
  'organizations:view': 'Read organizations, their members and their roles.',
  'organizations:manage': 'Create, change and delete organizations, and choose their members.',
  'media:access': 'Create access links.',
  'client-address:set':
    'Name the address of an end user in the header `Latchkey-Client-Address`, with an API token of this scope.',
} as const

export type Permission = keyof typeof permissions

/** Permissions whose holders decide about the accounts of others. */
export const privilegedPermissions: readonly string[] = [
  'system:admin-access',
  'users:manage',
] satisfies readonly Permission[]

/** The header in which the server of a product names the address of its user. */
export const clientAddressHeader = 'Latchkey-Client-Address'

/** What the header requires: the permission of the owner and the scope of the API token that the server sends with it. */
export const clientAddressPermission: Permission = 'client-address:set'
