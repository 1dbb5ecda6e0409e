/*
 * The attributes of a person or a group as a directory sent them. Values are stored as lists of names and values, and read into maps. So no
 * name from a directory is ever that of a member of an object.
 */

export type ScimScalar = string | boolean
/** A complex value: its parts by their names. */
export type ScimComplex = ReadonlyMap<string, ScimScalar>
export type ScimValue = ScimScalar | ScimComplex | readonly ScimComplex[]

/**
 * What is stored of a resource: the values of attributes by their full names, such as `emails`, or `urn:…:User:department` for an extension.
 * Only names of the closed list of attributes are keys.
 */
export type ScimValues = ReadonlyMap<string, ScimValue>

export type StoredComplex = readonly (readonly [part: string, value: ScimScalar])[]
export type StoredValue =
  | { readonly scalar: ScimScalar }
  | { readonly complex: StoredComplex }
  | { readonly list: readonly StoredComplex[] }

export const readStoredText = (text: string): ScimValues =>
  new Map(
    (JSON.parse(text) as readonly (readonly [string, StoredValue])[]).map(([name, value]) => [
      name,
      fromStored(value),
    ]),
  )

const fromStored = (value: StoredValue): ScimValue => {
  if ('scalar' in value) return value.scalar
  return 'complex' in value ? new Map(value.complex) : value.list.map((entry) => new Map(entry))
}
