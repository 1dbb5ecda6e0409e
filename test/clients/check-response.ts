import { type Fact, modelFacts } from '../contract/model-facts.ts'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const primitives: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  'date-time': (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value),
  any: () => true,
}

/**
 * Compares a response with the models that published clients know. Unknown and missing fields, wrong types, and unknown
 * values of enumerations are problems. `null` expects no body. The outermost objects may have the added fields.
 */
export const findResponseProblems = (
  model: string | null,
  value: unknown,
  added: readonly string[] = [],
): string[] => {
  if (model === null) return value === undefined ? [] : ['has a body']
  const known = added.map((field) => new RegExp(`^[\\w[\\]]+\\.${field} is unknown$`))
  return checkType(model, value, model).filter((problem) => !known.some((one) => one.test(problem)))
}

const checkType = (type: string, value: unknown, at: string): string[] => {
  if (type.endsWith('[]'))
    return Array.isArray(value)
      ? value.flatMap((item, index) => checkType(type.slice(0, -2), item, `${at}[${index}]`))
      : [`${at} is not a list`]
  const isType = primitives[type]
  if (isType) return isType(value) ? [] : [`${at} is not of the type ${type}`]
  return checkFields(type, value, at)
}

const checkFields = (model: string, value: unknown, at: string): string[] => {
  const facts = modelFacts[model]
  if (facts === undefined) return [`${at} has the unknown model ${model}`]
  if (!isObject(value)) return [`${at} is not an object`]
  const unknown = Object.keys(value).filter((field) => !(field in facts))
  return [
    ...unknown.map((field) => `${at}.${field} is unknown`),
    ...Object.entries(facts).flatMap(([field, fact]) => checkField(fact, value[field], `${at}.${field}`)),
  ]
}

const checkField = (fact: Fact, value: unknown, at: string): string[] => {
  if (value === undefined) return fact.required ? [`${at} is missing`] : []
  // Latchkey has no LDAP servers. Clients accept `null` for them.
  if (value === null) return fact.nullable || fact.type === 'LDAPServer' ? [] : [`${at} is null`]
  if (fact.enum && !fact.enum.includes(String(value))) return [`${at} is not a known value`]
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  const isWithin = items.every((item) => isWithinLimits(fact, item))
  return [...checkType(fact.type, value, at), ...(isWithin ? [] : [`${at} is not within its limits`])]
}

/** The limits of a list are those of its items. */
const isWithinLimits = (
  { minLength = 0, maxLength = Infinity, minimum = -Infinity, maximum = Infinity }: Fact,
  value: unknown,
): boolean =>
  typeof value === 'string'
    ? value.length >= minLength && value.length <= maxLength
    : typeof value !== 'number' || (value >= minimum && value <= maximum)
