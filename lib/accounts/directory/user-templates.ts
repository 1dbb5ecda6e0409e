import type {
  UserTemplate,
  UserTemplatePartialUpdate,
  UserTemplateUpdate,
} from '../../contract/models/user-templates.ts'
import type { FieldError } from '../../core/errors.ts'
import { findGroups } from '../../store/directory/groups.ts'
import type { Table } from '../../store/engine/table.ts'
import type { NewUniqueNameRecord } from '../../store/engine/unique-name-records.ts'
import type { GroupRecord } from '../../store/records/group-record.ts'
import type { UserTemplateRecord } from '../../store/records/user-template-record.ts'
import { normalizeUsername, validateNameField } from '../common/names.ts'
import { isAdmin, sortPermissions } from '../common/permissions.ts'
import { requireRightToGrant } from './admin-rights.ts'
import { validateUser } from './user-validation.ts'

export type TemplateFields = NewUniqueNameRecord<UserTemplateRecord>

/**
 * The fields of a template as stored, from a body that tells all of them: what it leaves out is at its
 * default.
 */
export const readTemplateFields = (body: UserTemplateUpdate): TemplateFields => ({
  name: body.name,
  normalizedName: normalizeUsername(body.name),
  permissions: sortPermissions(body.permissions ?? []),
  groups: [...new Set(body.groups)],
  language: body.language ?? null,
  defaultPage: body.default_page ?? '/',
  isExternal: body.is_external ?? false,
})

/** The same from a body that tells some of them: what it leaves out stays as it was. */
export const patchTemplateFields = (
  template: UserTemplateRecord,
  body: UserTemplatePartialUpdate,
): TemplateFields => ({
  name: body.name ?? template.name,
  normalizedName: normalizeUsername(body.name ?? template.name),
  permissions: body.permissions ? sortPermissions(body.permissions) : template.permissions,
  groups: body.groups ? [...new Set(body.groups)] : template.groups,
  language: body.language === undefined ? template.language : body.language,
  defaultPage: body.default_page ?? template.defaultPage,
  isExternal: body.is_external ?? template.isExternal,
})

/**
 * Why a template can't be like this. It never makes an administrator, neither by itself nor by a group, since
 * whoever an identity provider sends is made from it; who asks for that without being one is refused before.
 *
 * @throws AppError `permission_denied`
 */
export const validateTemplate = async (
  table: Table,
  body: UserTemplatePartialUpdate,
  callerIsAdmin: boolean,
): Promise<readonly FieldError[]> => {
  const { name, permissions = [], groups: ids } = body
  const groups = await findGroups(table, ids ?? [])
  requireRightToGrant(callerIsAdmin, { permissions: [permissions], groups })
  const message = 'must not make an administrator: give system:admin-access to users themselves'
  return [
    ...(name === undefined ? [] : validateNameField(name)),
    ...(await validateUser({ groups: ids }, async () => groups)),
    ...(isAdmin(permissions) ? [{ field: 'permissions', message }] : []),
    ...(groups.some((group) => isAdmin(group.permissions)) ? [{ field: 'groups', message }] : []),
  ]
}

/** Templates as shown, without groups that have been deleted since. */
export const toTemplateBodies = async (
  table: Table,
  templates: readonly UserTemplateRecord[],
): Promise<readonly UserTemplate[]> => {
  const groups = await findGroups(
    table,
    templates.flatMap((template) => template.groups),
  )
  const known = new Set(groups.map(({ id }: GroupRecord) => id))
  return templates.map((template) =>
    toNewTemplateBody({ ...template, groups: template.groups.filter((id) => known.has(id)) }),
  )
}

/** One of which all groups are known to be there. */
export const toNewTemplateBody = (template: UserTemplateRecord): UserTemplate => ({
  id: template.id,
  name: template.name,
  permissions: [...template.permissions],
  groups: [...template.groups],
  language: template.language as UserTemplate['language'],
  default_page: template.defaultPage,
  is_external: template.isExternal,
})

export const toTemplateBody = async (table: Table, template: UserTemplateRecord): Promise<UserTemplate> => {
  const [body] = await toTemplateBodies(table, [template])
  if (!body) throw new Error('a template has no body')
  return body
}
