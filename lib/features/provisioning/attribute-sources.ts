import type { AttributeSource } from './attribute-sources.models.ts'
import type { ScimComplex, ScimValues } from './stored-values.ts'

/* The attributes of a person in a directory that can become attributes of their account. */

/** Where the value of a source is. */
interface Place {
  /** The full name of the attribute. */
  readonly name: string
  /** The part of a complex value. */
  readonly part?: string
  /** Only the entries of this type. */
  readonly ofType?: string
}

const enterprise = (name: string): string =>
  `urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:${name}`

const places = {
  title: { name: 'title' },
  nick_name: { name: 'nickName' },
  user_type: { name: 'userType' },
  preferred_language: { name: 'preferredLanguage' },
  locale: { name: 'locale' },
  timezone: { name: 'timezone' },
  work_phone: { name: 'phoneNumbers', part: 'value', ofType: 'work' },
  employee_number: { name: enterprise('employeeNumber') },
  cost_center: { name: enterprise('costCenter') },
  organization: { name: enterprise('organization') },
  division: { name: enterprise('division') },
  department: { name: enterprise('department') },
  manager: { name: enterprise('manager'), part: 'value' },
} as const satisfies Readonly<Record<AttributeSource, Place>>

/** The full name of the attribute that has the value of a source. */
export const getSourceName = (source: AttributeSource): string => places[source].name

/** How messages name a source: `phoneNumbers[type eq "work"].value`. */
export const describeSource = (source: AttributeSource): string => {
  const { name, part, ofType }: Place = places[source]
  return `${name}${ofType === undefined ? '' : `[type eq "${ofType}"]`}${part === undefined ? '' : `.${part}`}`
}

/** The texts that a person has at a source, the main one first. Empty without a value. */
export const readSource = (values: ScimValues, source: AttributeSource): readonly string[] => {
  const { name, part, ofType }: Place = places[source]
  const value = values.get(name)
  const texts = part === undefined ? [value] : listEntries(value, ofType).map((entry) => entry.get(part))
  return texts.flatMap((text) => (typeof text === 'string' && text !== '' ? [text] : []))
}

const listEntries = (value: ReturnType<ScimValues['get']>, ofType: string | undefined) => {
  if (value instanceof Map) return [value as ScimComplex]
  if (!Array.isArray(value)) return []
  const entries = (value as readonly ScimComplex[]).filter(
    (entry) => String(entry.get('type') ?? '').toLowerCase() === ofType,
  )
  const main = entries.filter((entry) => entry.get('primary') === true)
  return [...new Set([...main, ...entries])]
}
