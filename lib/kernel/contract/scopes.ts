import { permissions } from './permissions.ts'
import type { Scope } from './scope-names.ts'

const operationScopes = {
  'api-tokens:manage': 'Rename and delete API tokens of the owner.',
  'api-tokens:view': 'List API tokens of the owner.',
  'audit-events:view': 'Read audit events. The owner must be an administrator.',
  'jwts:create': 'Create JWTs that identify the owner. Their permissions are limited to the scopes.',
  'links:manage': 'Delete and email access links.',
  'links:view': 'Read access links that the owner created or received.',
  'oidc-clients:view': 'Read OpenID Connect clients. The owner must be an administrator.',
  'password-tools:use': 'Generate and evaluate passwords.',
  'profile:manage': 'Update the profile of the owner.',
  'profile:view': 'Read the profile of the owner.',
  'protected-apis:view': 'Read APIs with their scopes and permissions. The owner needs `users:view`.',
  'saml-providers:manage':
    'Read metadata of identity providers and OpenID Connect connections, check SAML responses, and rename SAML providers. The owner must be an administrator.',
  'sessions:manage': 'End sessions of the owner.',
  'sessions:view': 'List sessions of the owner.',
  'tickets:create': 'Create tickets that identify the owner. Their permissions are limited to the scopes.',
} as const

/**
 * Every scope of this service with what it allows. A permission is also a scope: it allows the operations that require
 * the permission, if the owner of the API token holds it.
 */
export const scopes: Readonly<Record<Scope, string>> = { ...permissions, ...operationScopes }
