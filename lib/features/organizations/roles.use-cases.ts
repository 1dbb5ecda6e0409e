import { compareEntries } from '../../accounts/events/change-event.ts'
import { writeSettings } from '../../accounts/events/write-settings.ts'
import type { UseCase } from '../../http/use-case.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
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
  const toEntries = (list: readonly DeclaredRole[]) => list.map(({ key, ...role }) => [key, role] as const)
  const change = compareEntries(toEntries(before?.roles ?? []), toEntries(roles))
  await writeSettings(context, { event: 'organization_roles.changed', ...change }, (steps) =>
    replaceRoles(table, before, roles, steps),
  )
  return { status: 200, body: toDeclaredRoles(roles) }
}
