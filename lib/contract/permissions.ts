/** The permissions that this service checks. Products may store more of the same form, `word:word[:word]`. */
export const permissions = {
  'system:admin-access': 'Administer the service. It includes every other permission.',
  'users:view': 'Read users, groups and user templates.',
  'users:manage':
    'Create, change and delete users, groups and user templates. Accounts, groups and user templates with a permission that the caller lacks are excluded.',
  'media:access': 'Create access links.',
  'client-address:set':
    'Name the address of an end user in the header `Latchkey-Client-Address`, with an API token of this scope.',
} as const

export type Permission = keyof typeof permissions
