/*
 * The attributes of a user as their record has them: one JSON text, which clients read exactly as they wrote it. Those that
 * published clients know are in it under their names, see `published-clients/stored-fields.ts`. Those that the service defines
 * are in it under keys, see `accounts/users/attributes.records.ts`. Defaults are not stored, so most records stay small.
 */

export const noAttributes = '{}'

/** The key of an attribute that the service defines. One that begins with `s` is searchable. */
const keyForm = /^[as]\d{1,9}$/

export type AttributeValue = string | number | boolean | readonly string[]

/** All values in a stored text. A text that is not valid JSON has none, so that its record can still be read and changed. */
export const parseAttributes = (stored: string): ReadonlyMap<string, unknown> => {
  try {
    return new Map(Object.entries(JSON.parse(stored) ?? {}))
  } catch {
    return new Map()
  }
}

/** The values of the attributes that the service defines, by key. */
export const readDefined = (stored: string): ReadonlyMap<string, AttributeValue> =>
  new Map(
    [...parseAttributes(stored)].flatMap(([key, value]) =>
      keyForm.test(key) && isAttributeValue(value) ? [[key, value] as const] : [],
    ),
  )

/** Whether a value has a type that attributes and claims can have. */
export const isAttributeValue = (value: unknown): value is AttributeValue =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((part) => typeof part === 'string'))

/** Replaces the values of the attributes that the service defines. Equal values lead to equal texts. */
export const writeDefined = (stored: string, values: ReadonlyMap<string, AttributeValue>): string =>
  JSON.stringify(
    Object.fromEntries([
      ...[...parseAttributes(stored)].filter(([key]) => !keyForm.test(key)),
      ...[...values].sort(([a], [b]) => (a < b ? -1 : 1)),
    ]),
  )

/** The text with the attributes that the service defines alone. */
export const selectDefined = (stored: string): string => writeDefined(noAttributes, readDefined(stored))
