/*
 * The Lambda functions. Their names are constants, which name resources of the stack: a name that changes replaces the function
 * and its log. Each has its entry in the folder of its name under `functions/`.
 */

/** The functions with operations: each group of operations is one. */
export const groups = [
  'tickets',
  'oidc',
  'oidc-clients',
  'sessions',
  'passwords',
  'impersonation',
  'invitations',
  'access-links',
  'api-tokens',
  'passkeys',
  'leaks',
  'connections',
  'connection-flow',
  'scim',
  'users',
  'groups',
  'user-templates',
  'organizations',
  'user-files',
  'audit',
  'branding',
  'hooks',
  'health',
  'pages',
] as const

/** The functions without operations: background jobs, setup, configuration by code, and the answer to unknown paths. */
export const jobs = [
  'connection-refresh',
  'signing-keys',
  'unmatched',
  'authorizer',
  'mailer',
  'mail-events',
  'first-admin',
  'audit-chain',
  'backchannel-logout',
  'account-deletion',
  'audit-forward',
  'config',
  'config-product',
] as const

export type Group = (typeof groups)[number]
export type Job = (typeof jobs)[number]
export type FunctionName = Group | Job

/** The tags of the OpenAPI document: the groups, and the operations that exist for published clients only. */
export type Tag = Group | 'published-clients' | 'oidc-connections' | 'configuration'
