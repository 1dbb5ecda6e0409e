import {
  commonAttributes,
  type ScimAttribute,
  type ScimResourceType,
  type ScimSchema,
} from './attributes.models.ts'

/** An attribute that a request names, or a part of it: `name.givenName`. */
export interface AttributePath {
  /** The extension that has it. Undefined for the schema of the resource itself. */
  readonly extension: ScimSchema | undefined
  readonly attribute: ScimAttribute
  readonly part: ScimAttribute | undefined
}

/** An extension that a request names as a whole. */
export interface ExtensionPath {
  readonly extension: ScimSchema
}

/** Names are compared without case (RFC 7643 2.1). A map has no names of its own, as an object does. */
const indexByName = (attributes: readonly ScimAttribute[]): ReadonlyMap<string, ScimAttribute> =>
  new Map(attributes.map((attribute) => [attribute.name.toLowerCase(), attribute]))

interface NamedAttributes {
  readonly schema: ScimSchema
  readonly isExtension: boolean
  readonly byName: ReadonlyMap<string, ScimAttribute>
}

const indexes = new Map<ScimResourceType, readonly NamedAttributes[]>()

const findIndexes = (type: ScimResourceType): readonly NamedAttributes[] => {
  const known = indexes.get(type)
  if (known) return known
  const built = [type.schema, ...type.extensions].map((schema, at) => ({
    schema,
    isExtension: at > 0,
    byName: indexByName(at > 0 ? schema.attributes : [...commonAttributes, ...schema.attributes]),
  }))
  indexes.set(type, built)
  return built
}

/** Finds a part of a complex attribute by its name in any case. */
export const findPart = ({ parts = [] }: ScimAttribute, name: string): ScimAttribute | undefined =>
  parts.find((part) => part.name.toLowerCase() === name.toLowerCase())

/**
 * Finds what a name stands for: `userName`, `name.givenName`, `urn:…:User:userName`, or the URN of an extension. Returns undefined for what
 * is not stored.
 *
 * @example
 * ```ts
 * findPath(resourceTypes.User, 'NAME.givenname') // { attribute: name, part: givenName, extension: undefined }
 * ```
 */
export const findPath = (type: ScimResourceType, name: string): AttributePath | ExtensionPath | undefined => {
  const lower = name.toLowerCase()
  for (const { schema, isExtension, byName } of findIndexes(type)) {
    const urn = schema.urn.toLowerCase()
    if (isExtension && lower === urn) return { extension: schema }
    const isFull = lower.startsWith(`${urn}:`)
    // Without the URN, the name is one of the schema itself.
    if (isExtension && !isFull) continue
    const [first = '', ...rest] = (isFull ? name.slice(urn.length + 1) : name).split('.')
    const attribute = byName.get(first.toLowerCase())
    if (!attribute || rest.length > 1) continue
    const part = rest[0] === undefined ? undefined : findPart(attribute, rest[0])
    if (rest.length === 1 && !part) continue
    return { extension: isExtension ? schema : undefined, attribute, part }
  }
  return undefined
}

export const isWholeExtension = (path: AttributePath | ExtensionPath): path is ExtensionPath =>
  !('attribute' in path)

/** The name of a path as answers and messages have it. */
export const nameOfPath = ({ extension, attribute, part }: AttributePath): string =>
  `${extension ? `${extension.urn}:` : ''}${attribute.name}${part ? `.${part.name}` : ''}`
