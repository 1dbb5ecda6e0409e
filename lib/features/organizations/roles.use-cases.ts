import { writeSettings } from '../../accounts/events/write-settings.ts'
import type { UseCase } from '../../http/use-case.ts'
import { listChangedNames, omitUndefined } from '../../kernel/util/object-fields.ts'
import { toDeclaredRoles } from './body.ts'
import type { organizations } from './operations.ts'
import { type DeclaredRole, findStoredRoles, replaceRoles } from './roles.records.ts'
import { requireValidRoles } from './roles.ts'

/** The roles that the service declares. */
export const getOrganizationRoles: UseCase<typeof organizations.getOrganizationRoles> = async (
  _request,
  { table },
) => ({ status: 200, body: toDeclaredRoles((await findStoredRoles(table))?.roles ?? []) })

/** Declares the roles. Members keep the keys of removed ones, which allow nothing until a role has the key again. */
export const updateOrganizationRoles: UseCase<typeof organizations.updateOrganizationRoles> = async (
  { body, context },
  { table },
) => {
  const roles = body.roles.map(({ texts, ...role }) => ({ ...role, texts: omitUndefined(texts) }))
  requireValidRoles(roles)
  const before = await findStoredRoles(table)
  const changed = listChanged(before?.roles ?? [], roles)
  await writeSettings(context, { event: 'organization_roles.changed', changed }, (steps) =>
    replaceRoles(table, before, roles, steps),
  )
  return { status: 200, body: toDeclaredRoles(roles) }
}

/** The keys of roles that differ. A change of the order alone names all of them. */
const listChanged = (before: readonly DeclaredRole[], after: readonly DeclaredRole[]): readonly string[] => {
  const toEntries = (roles: readonly DeclaredRole[]) => roles.map((role) => [role.key, role] as const)
  const changed = listChangedNames(toEntries(before), toEntries(after))
  const listKeys = (roles: readonly DeclaredRole[]) => roles.map(({ key }) => key)
  const isMoved = changed.length === 0 && listKeys(before).join(' ') !== listKeys(after).join(' ')
  return isMoved ? listKeys(after) : changed
}
