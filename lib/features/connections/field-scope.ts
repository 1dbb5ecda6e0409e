import { isDeepStrictEqual } from 'node:util'
import type { ReadRights } from '../../kernel/contract/field-rights.ts'
import type { FieldError } from '../../kernel/errors/errors.ts'
import type { ConnectionFieldRights } from './rules.models.ts'

/**
 * The fields that a connection of this scope cannot have, and has another value of than a new connection. No request sets a field without
 * a scope.
 */
export const listForeignFields = (
  rights: Readonly<Record<string, ReadRights & Partial<ConnectionFieldRights>>>,
  scope: 'ofOrganization' | 'forEverybody',
  connection: object,
  defaults: object,
): readonly FieldError[] => {
  const [values, initials] = [new Map(Object.entries(connection)), new Map(Object.entries(defaults))]
  return Object.entries(rights).flatMap(([field, { [scope]: allowed = true }]) =>
    // The table returns the fields of a value in any order.
    allowed === true || isDeepStrictEqual(values.get(field) ?? null, initials.get(field) ?? null)
      ? []
      : [{ field, message: allowed }],
  )
}
