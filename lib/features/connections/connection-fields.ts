import { normalizeUsername } from '../../accounts/names/names.ts'
import type { FieldError } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import { omitUndefined } from '../../kernel/util/object-fields.ts'
import { findUserTemplate } from '../directory/templates/templates.records.ts'
import { validateConnectionRules } from './connection-rules.ts'
import { validateAllowedGroups } from './groups.ts'
import { validateOrganization } from './organization-fields.ts'
import type { Connection } from './records.ts'
import type { ConnectionSettings } from './stored-settings.records.ts'

/** Replaces a stored secret in every response. A client that sends it back keeps the secret. */
export const maskedSecret = '********'

/** What a new connection of any kind has if a request says nothing else. */
export const connectionDefaults = {
  disabled_in_client: false,
  auto_create_users: false,
  auto_create_groups: false,
  auto_sync_groups: false,
  allowed_groups: null,
  user_template: null,
  attribute_mapping: { username_from: null, email_from: null, full_name_from: null, groups_from: null },
  required_authn_contexts: [],
  multi_factor_authn_contexts: [],
  required_for_domains: false,
  exempt_users: [],
  organization_id: null,
  default_organization_roles: null,
} as const satisfies Omit<ConnectionSettings, 'name'>

/** Some of the fields that requests set, as a body has them. */
type SettingsBody<Settings> = {
  readonly [Name in keyof Settings]?: Name extends 'attribute_mapping'
    ? { readonly [Fact in keyof Settings[Name]]?: Settings[Name][Fact] | undefined } | undefined
    : Settings[Name] | undefined
}

/** A connection with the fields of a body. What the body omits stays. */
export const applyBody = <Record extends Connection>(
  connection: Record,
  { attribute_mapping, ...body }: SettingsBody<ConnectionSettings>,
): Record => {
  const next: Record = { ...connection, ...omitUndefined(body) }
  return {
    ...next,
    normalizedName: normalizeUsername(next.name),
    attribute_mapping: { ...next.attribute_mapping, ...omitUndefined(attribute_mapping ?? {}) },
    required_authn_contexts: [...new Set(next.required_authn_contexts)],
    multi_factor_authn_contexts: [...new Set(next.multi_factor_authn_contexts)],
    exempt_users: [...new Set(next.exempt_users)],
  }
}

/** Returns all that is wrong with the fields that connections of every kind have, except for the name. */
export const validateSettings = async (
  table: Table,
  connection: Connection,
  before: Connection | undefined,
): Promise<readonly FieldError[]> => {
  const { allowed_groups, user_template } = connection
  return [
    ...(allowed_groups ? toFieldErrors('allowed_groups', validateAllowedGroups(allowed_groups)) : []),
    ...(await validateConnectionRules(table, connection, before)),
    ...(await validateTemplateId(table, user_template, before?.user_template ?? null)),
    ...(await validateOrganization(table, connection, before, connectionDefaults)),
  ]
}

/** The stored template may have been deleted. It stays valid, so that clients can send back a body that they read. */
const validateTemplateId = async (
  table: Table,
  id: number | null,
  before: number | null,
): Promise<readonly FieldError[]> => {
  if (id === null || id === before || (await findUserTemplate(table, id))) return []
  return [{ field: 'user_template', message: 'is not the ID of a user template' }]
}

export const toFieldErrors = (field: string, message: string | undefined): readonly FieldError[] =>
  message === undefined ? [] : [{ field, message }]
