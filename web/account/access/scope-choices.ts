import type { AccountProfile } from '../../../lib/contract/page-data.ts'
import { messagesOf } from '../../kit/messages.ts'

const t = messagesOf('access')

/** What everyone can let a token do, by the scope. */
const ownScopes = {
  'profile:view': 'scopeProfileView',
  'profile:manage': 'scopeProfileManage',
  'sessions:view': 'scopeSessionsView',
  'sessions:manage': 'scopeSessionsManage',
  'api-tokens:view': 'scopeTokensView',
  'api-tokens:manage': 'scopeTokensManage',
  'links:view': 'scopeLinksView',
  'links:manage': 'scopeLinksManage',
  'tickets:create': 'scopeTickets',
  'jwts:create': 'scopeJwts',
  'password-tools:use': 'scopePasswords',
} as const

/** What only administrators can let a token do, although it is no permission. */
const adminScopes = {
  'audit-events:view': 'scopeAudit',
  'saml-providers:manage': 'scopeProviders',
  'oidc-clients:view': 'scopeClients',
} as const

const permissionScopes = {
  'system:admin-access': 'scopeAdmin',
  'users:view': 'scopeUsersView',
  'users:manage': 'scopeUsersManage',
  'media:access': 'scopeMedia',
  'client-address:set': 'scopeClientAddress',
} as const

const messages = { ...ownScopes, ...adminScopes, ...permissionScopes }
const isKnown = (scope: string): scope is keyof typeof messages => Object.hasOwn(messages, scope)

/** Names a scope in words. The permissions of products have only their own names. */
export const describeScope = (scope: string): string => (isKnown(scope) ? t(messages[scope]) : scope)

/** Lists what the user can let a token do: a token never gets more rights than they have. */
export const listScopes = ({ effective_permissions: permissions }: AccountProfile): readonly string[] => {
  const isAdministrator = permissions.includes('system:admin-access')
  const granted = isAdministrator ? [...Object.keys(permissionScopes), ...permissions] : permissions
  return [
    ...Object.keys(ownScopes),
    ...(isAdministrator ? Object.keys(adminScopes) : []),
    ...new Set(granted),
  ]
}
