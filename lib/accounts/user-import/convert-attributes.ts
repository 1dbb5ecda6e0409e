import type { AttributeChange } from '../../contract/models/user-attributes.ts'
import type { UserAttribute } from '../../store/directory/user-attributes.ts'

/**
 * Gives the attributes of a line the types of their definitions. Files and other systems often have texts alone, or a list of
 * one text. What cannot be converted stays, so that its line is refused with the reason.
 */
export const convertAttributes = (
  definitions: readonly UserAttribute[],
  given: readonly AttributeChange[] = [],
): readonly AttributeChange[] => {
  const types = new Map(definitions.map(({ name, type }) => [name, type]))
  return given.map(({ name, value }) => ({ name, value: convert(types.get(name), value) }))
}

const convert = (
  type: UserAttribute['type'] | undefined,
  given: AttributeChange['value'],
): AttributeChange['value'] => {
  if (type === 'texts')
    return typeof given === 'string'
      ? given
          .split(';')
          .map((part) => part.trim())
          .filter((part) => part !== '')
      : given
  const [first, ...more] = Array.isArray(given) ? given : []
  const value = first !== undefined && more.length === 0 ? first : given
  if (type === 'text') return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof value !== 'string') return value
  if (type === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(value.trim()) ? Number(value) : value
  if (type !== 'boolean') return value
  const text = value.trim().toLowerCase()
  return text === 'true' || text === 'false' ? text === 'true' : value
}
