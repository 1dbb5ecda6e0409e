import type { JsonValue } from '../support/client.ts'

const fitsRule = (rule: JsonValue, value: JsonValue): boolean => {
  if (typeof rule === 'string') return rule === value
  if (typeof rule?.prefix === 'string') return typeof value === 'string' && value.startsWith(rule.prefix)
  throw new Error(`The runner does not know the filter rule ${JSON.stringify(rule)}.`)
}

/** Whether an event matches a filter pattern of Lambda: each field has one of the listed values. */
export const matchesPattern = (pattern: JsonValue, event: JsonValue): boolean =>
  Object.entries<JsonValue>(pattern).every(([name, expected]) =>
    Array.isArray(expected)
      ? expected.some((rule) => fitsRule(rule, event?.[name]))
      : matchesPattern(expected, event?.[name]),
  )
