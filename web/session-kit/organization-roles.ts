import type { OrganizationRole } from '../../lib/client/generated/models.ts'
import { formatList } from '../kit/format.ts'
import { chooseText, messagesOf } from '../kit/messages.ts'
import { client } from './client.ts'
import { type Loaded, useLoaded } from './use-loaded.ts'

const t = messagesOf('organization')

/** A role that a member can have, as pages name it. */
interface RoleChoice {
  readonly key: string
  readonly name: string
  readonly hint?: string
  /** Whether only the service gives it. */
  readonly isOfService?: boolean
}

/** The roles that the service declares. */
type DeclaredRoles = readonly OrganizationRole[]

const listBuiltInRoles = (): readonly RoleChoice[] => [
  { key: 'owner', name: t('owner'), hint: t('ownerText') },
  { key: 'admin', name: t('admin'), hint: t('adminText') },
  { key: 'member', name: t('member'), hint: t('memberText') },
]

/** Lists all roles, the built-in ones first. A declared text names a built-in role as well. */
export const listRoles = (declared: DeclaredRoles): readonly RoleChoice[] => {
  const builtIn = listBuiltInRoles()
  const nameOf = (key: string) => declared.find((role) => role.key === key)?.texts
  return [
    ...builtIn.map((role) => {
      const texts = nameOf(role.key)
      return texts ? { ...role, name: chooseText(texts) } : role
    }),
    ...declared
      .filter(({ key }) => !builtIn.some((role) => role.key === key))
      .map(({ key, texts, given_by: givenBy }) => ({
        key,
        name: chooseText(texts),
        isOfService: givenBy === 'service',
      })),
  ]
}

/** Names the roles of a member. A role that was removed keeps its key. */
export const describeRoles = (declared: DeclaredRoles, keys: readonly string[]): string => {
  const names = new Map(listRoles(declared).map(({ key, name }) => [key, name]))
  return formatList(keys.map((key) => names.get(key) ?? key))
}

/** Loads the declared roles. */
export const useDeclaredRoles = (): Loaded<DeclaredRoles> =>
  useLoaded(async (options) => (await client.organizations.getOrganizationRoles(options)).roles)
