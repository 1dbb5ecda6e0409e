import type { ProtectedAPI } from '../../../lib/client/generated/models.ts'
import { formatList } from '../../kit/format.ts'
import { chooseText, messagesOf } from '../../kit/messages.ts'
import { useProtectedApis } from '../kit/current-user.ts'

const t = messagesOf('people')

interface PermissionChoice {
  readonly name: string
  readonly label: string
  readonly hint: string
}

/** The permissions of this service, with the texts that explain them. */
const describeKnownPermissions = (): readonly PermissionChoice[] => [
  { name: 'system:admin-access', label: t('admin'), hint: t('adminHint') },
  { name: 'users:view', label: t('viewUsers'), hint: t('viewUsersHint') },
  { name: 'users:manage', label: t('manageUsers'), hint: t('manageUsersHint') },
  { name: 'organizations:view', label: t('viewOrganizations'), hint: t('viewOrganizationsHint') },
  { name: 'organizations:manage', label: t('manageOrganizations'), hint: t('manageOrganizationsHint') },
  { name: 'media:access', label: t('createLinks'), hint: t('createLinksHint') },
  { name: 'client-address:set', label: t('setAddress'), hint: t('setAddressHint') },
]

/** The permission that another one is of no use without: who manages something must see it. */
const neededPermissions: ReadonlyMap<string, string> = new Map([
  ['users:manage', 'users:view'],
  ['organizations:manage', 'organizations:view'],
])

/** Adds a permission with the one that it needs, or takes it away with those that need it. */
export const changePermissions = (
  given: readonly string[],
  name: string,
  isGiven: boolean,
): readonly string[] => {
  if (isGiven)
    return [...new Set([...given, name, neededPermissions.get(name)])].filter((one) => one !== undefined)
  return given.filter((one) => one !== name && neededPermissions.get(one) !== name)
}

/** Permissions that people give together. One preset of an area replaces another one of it. */
interface Preset {
  readonly name: string
  readonly label: string
  readonly permissions: readonly string[]
  /** All permissions of the area. */
  readonly area: readonly string[]
}

const usersArea = ['users:view', 'users:manage']
const organizationsArea = ['organizations:view', 'organizations:manage']
const adminArea = ['system:admin-access']

export const listPresets = (): readonly Preset[] => [
  { name: 'support', label: t('support'), permissions: ['users:view'], area: usersArea },
  { name: 'user-manager', label: t('userManager'), permissions: usersArea, area: usersArea },
  {
    name: 'organization-support',
    label: t('organizationSupport'),
    permissions: ['organizations:view'],
    area: organizationsArea,
  },
  {
    name: 'organization-manager',
    label: t('organizationManager'),
    permissions: organizationsArea,
    area: organizationsArea,
  },
  { name: 'administrator', label: t('admin'), permissions: adminArea, area: adminArea },
]

/** The permissions that registered APIs check. Two APIs may share one. */
const describeApiPermissions = (apis: readonly ProtectedAPI[]): readonly PermissionChoice[] => {
  const own = describeKnownPermissions().map(({ name }) => name)
  const all = apis.flatMap((api) =>
    api.permissions.map(({ name, texts }) => ({
      name,
      label: chooseText(texts),
      hint: `${api.name}: ${name}`,
    })),
  )
  return [...new Map(all.map((choice) => [choice.name, choice])).values()].filter(
    ({ name }) => !own.includes(name),
  )
}

/** The permissions of this service and of registered APIs, with their titles. Those of APIs follow when they are loaded. */
export const usePermissionChoices = (): readonly PermissionChoice[] => {
  const apis = useProtectedApis().value ?? []
  return [...describeKnownPermissions(), ...describeApiPermissions(apis)]
}

/** Lists permissions in plain words. Those of products keep their names. */
export const describePermissions = (permissions: readonly string[]): string => {
  const labels = new Map(describeKnownPermissions().map(({ name, label }) => [name, label]))
  return formatList(permissions.map((permission) => labels.get(permission) ?? permission))
}
