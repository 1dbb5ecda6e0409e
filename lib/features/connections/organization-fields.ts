import { isDeepStrictEqual } from 'node:util'
import type { FieldError } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import { ownerRole } from '../organizations/memberships.records.ts'
import { readOrganizations } from '../organizations/records.ts'
import { findRights } from '../organizations/roles.records.ts'
import { describeUnknownRoles } from '../organizations/roles.ts'
import { connectionSettings } from './rules.models.ts'
import type { ConnectionSettings } from './stored-settings.records.ts'

const rolesField = 'default_organization_roles'

/** Returns all that is wrong with what a connection says about its organization. */
export const validateOrganization = async (
  table: Table,
  connection: ConnectionSettings,
  before: ConnectionSettings | undefined,
  defaults: object,
): Promise<readonly FieldError[]> => {
  const { organization_id: id, default_organization_roles: roles } = connection
  if (before && before.organization_id !== id)
    return [{ field: 'organization_id', message: 'cannot be changed. Create another connection' }]
  if (id === null)
    return roles === null ? [] : [{ field: rolesField, message: 'must be null without an organization' }]
  return [
    ...listFieldsOfService(connection, defaults),
    ...(before ? [] : await validateId(table, id)),
    ...(roles === before?.default_organization_roles ? [] : await validateRoles(table, roles ?? [])),
  ]
}

/** What a customer must not decide for the whole service, if it is another value than that of a new connection. */
const listFieldsOfService = (connection: object, defaults: object): readonly FieldError[] => {
  const [values, initials] = [new Map(Object.entries(connection)), new Map(Object.entries(defaults))]
  return Object.entries(connectionSettings).flatMap(([field, { ofOrganization: allowed }]) =>
    // The table returns the fields of a value in any order.
    allowed === true || isDeepStrictEqual(values.get(field) ?? null, initials.get(field) ?? null)
      ? []
      : [{ field, message: allowed }],
  )
}

const validateId = async (table: Table, id: number): Promise<readonly FieldError[]> => {
  const [organization] = await readOrganizations(table, [id])
  return organization ? [] : [{ field: 'organization_id', message: 'is not the ID of an organization' }]
}

/** Ownership is given by owners and by the service, never by an identity provider. */
const validateRoles = async (table: Table, roles: readonly string[]): Promise<readonly FieldError[]> => {
  const unknown = describeUnknownRoles(await findRights(table), roles)
  return [
    ...(roles.includes(ownerRole) ? [{ field: rolesField, message: 'must not contain owner' }] : []),
    ...(unknown === undefined ? [] : [{ field: rolesField, message: unknown }]),
  ]
}

/** What a new connection has if a request does not say with which roles people join. */
export const chooseDefaultRoles = (organizationId: number | null | undefined) =>
  organizationId == null ? {} : { default_organization_roles: ['member'] }
