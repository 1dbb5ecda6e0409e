import { formatList } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'

const t = messagesOf('people')

/** The permissions of this service, with the texts that explain them. */
export const describeKnownPermissions = (): readonly {
  readonly name: string
  readonly label: string
  readonly hint: string
}[] => [
  { name: 'system:admin-access', label: t('admin'), hint: t('adminHint') },
  { name: 'users:view', label: t('viewUsers'), hint: t('viewUsersHint') },
  { name: 'users:manage', label: t('manageUsers'), hint: t('manageUsersHint') },
  { name: 'media:access', label: t('createLinks'), hint: t('createLinksHint') },
  { name: 'client-address:set', label: t('setAddress'), hint: t('setAddressHint') },
]

/** Lists permissions in plain words. Those of products keep their names. */
export const describePermissions = (permissions: readonly string[]): string => {
  const labels = new Map(describeKnownPermissions().map(({ name, label }) => [name, label]))
  return formatList(permissions.map((permission) => labels.get(permission) ?? permission))
}
