import { getCallerPermissions, grants } from '../../accounts/callers/permissions.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import {
  nameValues,
  type PersonalValues,
  readPersonalValues,
} from '../../accounts/events/personal-values.records.ts'
import type { AuditEventRecord } from '../../accounts/events/records.ts'
import { findUserAttributes } from '../../accounts/users/attributes.records.ts'
import type { FieldChange } from '../../kernel/contract/field-changes.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { AuditEvent, AuditEventChange } from './models.ts'

type ShownChanges = Pick<AuditEvent, 'changes' | 'changes_omitted'>

/**
 * Returns how the changes of these events are shown to a caller. The values of people are read with one call for all events, and only for
 * callers who may see users.
 */
export const readChanges = async (
  table: Table,
  principal: Principal,
  records: readonly AuditEventRecord[],
): Promise<(record: AuditEventRecord) => ShownChanges> => {
  const named = records.flatMap(nameValues)
  const maySee = named.length > 0 && grants(await getCallerPermissions(table, principal), 'users:view')
  const values = maySee ? await readPersonalValues(table, named) : new Map<string, PersonalValues>()
  const hasAttributes = [...values.values()].some((one) => Object.hasOwn(one, 'attributes'))
  const definitions = hasAttributes ? await findUserAttributes(table) : []
  const nameParts = new Map(definitions.map(({ key, name }) => [`attributes.${key}`, `attributes.${name}`]))
  return ({ changes, changesOmitted: omitted, valuesHash = '' }) => ({
    ...(changes && {
      changes: changes.flatMap((change) =>
        change.isPersonal
          ? showPersonal(change, maySee ? values.get(valuesHash) : 'withheld', nameParts)
          : [showChange(change)],
      ),
    }),
    ...(omitted !== undefined && { changes_omitted: omitted }),
  })
}

/** A change whose values may stand in events. */
export const showChange = ({ field, from, to }: FieldChange): AuditEventChange => ({
  field,
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
})

const showPersonal = (
  { field }: FieldChange,
  values: PersonalValues | 'withheld' | undefined,
  names: ReadonlyMap<string, string>,
): readonly AuditEventChange[] => {
  if (values === 'withheld') return [{ field, state: values }]
  const found = values?.[field]
  if (!found) return [{ field, state: 'erased' }]
  // A list in another order has no values.
  if (found.length === 0) return [{ field }]
  return found.map(({ part, from, to }) => ({ field: names.get(part) ?? part, from, to }))
}
