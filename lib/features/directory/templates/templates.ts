import { hasAdminAccess, sortPermissions } from '../../../accounts/callers/permissions.ts'
import { findGroups, type GroupRecord } from '../../../accounts/groups/groups.records.ts'
import { normalizeUsername, validateNameField } from '../../../accounts/names/names.ts'
import { project, readGiven } from '../../../kernel/contract/projection.ts'
import { type FieldError, requireFound } from '../../../kernel/errors/errors.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { NewUniqueNameRecord } from '../../../kernel/table/unique-name-records.ts'
import { givenTemplateNames, templateNames } from '../field-names.models.prebuilt.ts'
import { validateUser } from '../names/user-validation.ts'
import { type CallerRights, requireControl } from '../rights/account-rights.ts'
import type { UserTemplate, UserTemplatePartialUpdate, UserTemplateUpdate } from './templates.models.ts'
import { findUserTemplate, type UserTemplateRecord } from './templates.records.ts'

export type TemplateFields = NewUniqueNameRecord<UserTemplateRecord>

/** @throws AppError `not_found` when there is no user template with this ID */
export const requireUserTemplate = async (table: Table, id: number): Promise<UserTemplateRecord> =>
  requireFound(await findUserTemplate(table, id), 'user template')

/** The values of a new template. */
export const newTemplate = {
  permissions: [],
  groups: [],
  language: null,
  default_page: '/',
  is_external: false,
}

/** The stored fields of a template from a complete body. Omitted fields get their defaults. */
export const readTemplateFields = (body: UserTemplateUpdate): TemplateFields =>
  patchTemplateFields({ ...newTemplate, name: body.name }, body)

/** The stored fields of a template from a partial body. Omitted fields keep their values. */
export const patchTemplateFields = (
  template: Omit<TemplateFields, 'normalizedName'>,
  body: UserTemplatePartialUpdate,
): TemplateFields => {
  const fields = { ...project(givenTemplateNames, template), ...readGiven(givenTemplateNames, body) }
  return {
    ...fields,
    normalizedName: normalizeUsername(fields.name),
    permissions: sortPermissions(fields.permissions),
    groups: [...new Set(fields.groups)],
  }
}

/**
 * Rejects a change of a template that gives permissions which the caller does not control, directly or through a group.
 *
 * @throws AppError `permission_denied`
 */
export const requireControlOfTemplates = async (
  table: Table,
  rights: CallerRights,
  templates: readonly Pick<UserTemplateRecord, 'permissions' | 'groups'>[],
): Promise<void> => {
  const groups = await findGroups(
    table,
    templates.flatMap((template) => template.groups),
  )
  requireControl(
    rights,
    templates.flatMap((template) => template.permissions),
    groups,
  )
}

/**
 * Returns what is wrong with a template. Users from an identity provider are created from it, so it must not make them
 * administrators, neither directly nor through a group.
 */
export const validateTemplate = async (
  table: Table,
  body: UserTemplatePartialUpdate,
): Promise<readonly FieldError[]> => {
  const { name, permissions = [], groups: ids } = body
  const groups = await findGroups(table, ids ?? [])
  const message = 'must not grant `system:admin-access`. Grant it to users directly.'
  return [
    ...(name === undefined ? [] : validateNameField(name)),
    ...(await validateUser({ groups: ids }, async () => groups)),
    ...(hasAdminAccess(permissions) ? [{ field: 'permissions', message }] : []),
    ...(groups.some((group) => hasAdminAccess(group.permissions)) ? [{ field: 'groups', message }] : []),
  ]
}

/** The bodies of templates, without groups that no longer exist. */
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

/** The body of a template whose groups all exist. */
export const toNewTemplateBody = (template: UserTemplateRecord): UserTemplate =>
  project(templateNames, template)

export const toTemplateBody = async (table: Table, template: UserTemplateRecord): Promise<UserTemplate> => {
  const [body] = await toTemplateBodies(table, [template])
  if (!body) throw new Error('a template has no body')
  return body
}
