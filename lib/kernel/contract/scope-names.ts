import type { Permission } from './permissions.ts'

/**
 * The scopes that are not permissions. They are for operations that need no permission, and for parts of what
 * administrators may do. Every function loads this list, so `scopes.ts` has the descriptions.
 */
export const operationScopeNames = [
  'api-tokens:manage',
  'api-tokens:view',
  'audit-events:view',
  'jwts:create',
  'links:manage',
  'links:view',
  'oidc-clients:view',
  'password-tools:use',
  'profile:manage',
  'profile:view',
  'protected-apis:view',
  'saml-providers:manage',
  'sessions:manage',
  'sessions:view',
  'tickets:create',
] as const

type OperationScope = (typeof operationScopeNames)[number]

/** A permission is also a scope. */
export type Scope = Permission | OperationScope

/** Whether a scope allows operations but stands for no permission. */
export const isOperationScope = (scope: string): scope is OperationScope =>
  operationScopeNames.some((name) => name === scope)
