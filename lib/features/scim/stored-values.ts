import type { ScimGroupRecord } from '../provisioning/groups.records.ts'
import { readStoredText, type StoredComplex, type StoredValue } from '../provisioning/stored-values.ts'
import type { ScimUserRecord } from '../provisioning/users.records.ts'
import { listEntries } from './scim-filter.ts'
import type { ScimComplex, ScimScalar, ScimValue, ScimValues } from './scim-values.ts'

/** Values that the record has in fields of their own. */
const kept = new Set(['active', 'members'])

export const toStoredText = (values: ScimValues): string =>
  JSON.stringify(
    [...values].filter(([name]) => !kept.has(name)).map(([name, value]) => [name, toStored(value)]),
  )

const toStored = (value: ScimValue): StoredValue => {
  const entries = listEntries(value)?.map((entry): StoredComplex => [...entry])
  if (!entries) return { scalar: value as ScimScalar }
  return value instanceof Map ? { complex: entries[0] ?? [] } : { list: entries }
}

/** The values of a person as requests see them. */
export const readUserValues = ({
  values,
  isActive,
}: Pick<ScimUserRecord, 'values' | 'isActive'>): ScimValues =>
  new Map(readStoredText(values)).set('active', isActive)

export const readGroupValues = ({ values }: ScimGroupRecord): ScimValues => readStoredText(values)

export const readText = (values: ScimValues, name: string): string | undefined => {
  const value = values.get(name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The entries of an attribute with several values. */
export const readEntries = (values: ScimValues, name: string): readonly ScimComplex[] => {
  const value = values.get(name)
  return (value === undefined ? undefined : listEntries(value)) ?? []
}

/** The lower-case addresses of a person. */
export const readAddresses = (values: ScimValues): readonly string[] => [
  ...new Set(
    readEntries(values, 'emails').flatMap((entry) => {
      const value = entry.get('value')
      return typeof value === 'string' && value !== '' ? [value.toLowerCase()] : []
    }),
  ),
]
