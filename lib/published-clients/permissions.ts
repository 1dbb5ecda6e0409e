/** Permissions of the product that published clients are for. This service stores them and does not check them. */
export const publishedClientPermissions = [
  'client:access',
  'cloud:access',
  'downloads:view',
  'media:roots:manage',
  'media:updates:manage',
  'projects:manage',
  'projects:view',
  'shares:manage',
  'shares:view',
  'system:status:view',
  'tasks:manage',
  'tasks:view',
] as const
