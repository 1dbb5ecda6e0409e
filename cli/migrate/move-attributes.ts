import type { AttributeChange } from '../../lib/contract/models/user-attributes.ts'
import type { UserAttribute } from '../../lib/store/directory/user-attributes.ts'
import { listRest, type SourceRecord } from './source.ts'

/**
 * Moves the values of a record to the attributes of the service that have their names. Cognito's begin with `custom:`. Other
 * values stay behind, and are reported.
 */
export const moveAttributes = (
  record: SourceRecord,
  definitions: readonly UserAttribute[],
): SourceRecord & { readonly moved: readonly AttributeChange[] } => {
  const names = new Set(definitions.map(({ name }) => name))
  const given = Object.entries(record.attributes ?? {})
  const moved = given.flatMap(([from, value]) => {
    const name = from.replace(/^custom:/, '')
    return names.has(name) && isMovable(value) ? [{ from, name, value }] : []
  })
  const known = moved.map(({ from }) => from)
  const rest = listRest(Object.fromEntries(given), known).map((name) => `attribute ${name}`)
  return {
    ...record,
    left: [...(record.left ?? []), ...rest],
    moved: moved.map(({ name, value }) => ({ name, value })),
  }
}

const isMovable = (value: unknown): value is NonNullable<AttributeChange['value']> =>
  ['string', 'number', 'boolean'].includes(typeof value)
    ? value !== ''
    : Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string')
