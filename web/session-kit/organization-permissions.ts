import type { OrganizationRole } from '../../lib/client/generated/models.ts'
import {
  type OrganizationPermission,
  organizationPermissionNames,
} from '../../lib/kernel/contract/organization-permissions.ts'
import { isolate } from '../../lib/kernel/i18n/languages.ts'
import { messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/start-path.ts'

const t = messagesOf('organizationAccess')

const messages = {
  'org:members:view': 'membersView',
  'org:members:manage': 'membersManage',
  'org:settings:manage': 'settingsManage',
  'org:sign-in:manage': 'signInManage',
  'org:keys:manage': 'keysManage',
  'org:links:manage': 'linksManage',
  'org:events:view': 'eventsView',
  'org:ending:manage': 'endingManage',
} as const satisfies Record<OrganizationPermission, string>

const isOwn = (permission: string): permission is OrganizationPermission =>
  Object.hasOwn(messages, permission)

/** Names a permission in words. Those of products have only their own names. */
export const describeOrganizationPermission = (permission: string): string =>
  isOwn(permission) ? t(messages[permission]) : isolate(permission, pageData.language)

/** Whether somebody with these permissions manages something in the organization. */
export const mayManage = (permissions: readonly string[]): boolean => permissions.some(isOwn)

/** What a person alone does. */
const ofPeople: readonly OrganizationPermission[] = ['org:keys:manage', 'org:ending:manage']

/** Every permission of these roles that an API token of an organization can have. */
export const listTokenPermissions = (declaredRoles: readonly OrganizationRole[]): readonly string[] => [
  ...organizationPermissionNames.filter((name) => !ofPeople.includes(name)),
  ...new Set(declaredRoles.flatMap(({ permissions }) => permissions.filter((name) => !isOwn(name)))),
]
