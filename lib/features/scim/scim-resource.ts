import { findPath, isWholeExtension, nameOfPath } from './attribute-paths.ts'
import type { ScimAttribute, ScimResourceType, ScimSchema } from './attributes.models.ts'
import { badRequest } from './scim-error.ts'
import { listEntries } from './scim-filter.ts'
import type { ScimValue, ScimValues } from './scim-values.ts'

/** A value as an answer has it. */
type Json = string | boolean | { readonly [name: string]: Json } | readonly Json[]

/** What the service adds to the values of a resource. */
export interface ResourceFacts {
  readonly id: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly changedAt: number
  /** The entity tag: `W/"3"`. */
  readonly version: string
  /** The address of the resource. */
  readonly location: string
  /** Values of attributes that are not stored with the resource, such as `members`. An attribute without an entry is left out. */
  readonly apart?: Readonly<Record<string, readonly { readonly [part: string]: string }[]>>
}

/** Which attributes of a resource a request wants (RFC 7644 3.9). */
export interface Projection {
  /** Whether an answer has an attribute, by its full name. */
  readonly has: (name: string) => boolean
}

/**
 * Reads the parameters `attributes` and `excludedAttributes`. Names that are not known select nothing.
 *
 * @throws ScimError `invalidValue` if both are given
 */
export const readProjection = (
  type: ScimResourceType,
  attributes: string | undefined,
  excluded: string | undefined,
): Projection => {
  if (attributes !== undefined && excluded !== undefined)
    throw badRequest('invalidValue', 'Use either "attributes" or "excludedAttributes".')
  const names = readNames(type, attributes ?? excluded ?? '')
  if (attributes !== undefined) return { has: (name) => alwaysShown.has(name) || names.has(name) }
  return { has: (name) => alwaysShown.has(name) || !names.has(name) }
}

/** The attributes that each answer has. */
const alwaysShown: ReadonlySet<string> = new Set(['id'])

/** The full names of attributes. The URN of an extension stands for all of its attributes, and a part for the whole. */
const readNames = (type: ScimResourceType, list: string): ReadonlySet<string> =>
  new Set(
    list.split(',').flatMap((name) => {
      const path = findPath(type, name.trim())
      if (!path) return []
      return isWholeExtension(path)
        ? path.extension.attributes.map((one) => `${path.extension.urn}:${one.name}`)
        : [nameOfPath({ ...path, part: undefined })]
    }),
  )

/**
 * Builds the body of a resource. Nothing in it is null, and an extension without a value is left out.
 *
 * @example
 * ```ts
 * toResource(resourceTypes.User, new Map([['userName', 'ada']]), facts, { has: () => true })
 * // { schemas: ['urn:…:User'], id: '7', userName: 'ada', meta: { … } }
 * ```
 */
export const toResource = (
  type: ScimResourceType,
  values: ScimValues,
  facts: ResourceFacts,
  projection: Projection,
): object => {
  const shown = (name: string, attribute: ScimAttribute): readonly (readonly [string, Json])[] => {
    if (!projection.has(name)) return []
    const apart = facts.apart?.[name]
    if (apart) return [[attribute.name, apart]]
    const value = values.get(name)
    return value === undefined ? [] : [[attribute.name, toJson(value)]]
  }
  const ofSchema = ({ attributes }: ScimSchema, prefix: string) =>
    Object.fromEntries(attributes.flatMap((attribute) => shown(prefix + attribute.name, attribute)))
  const extensions = type.extensions
    .map((schema) => [schema.urn, ofSchema(schema, `${schema.urn}:`)] as const)
    .filter(([, body]) => Object.keys(body).length > 0)
  const externalId = projection.has('externalId') ? values.get('externalId') : undefined
  return {
    schemas: [type.schema.urn, ...extensions.map(([urn]) => urn)],
    id: facts.id,
    ...(externalId !== undefined && { externalId }),
    ...ofSchema(type.schema, ''),
    ...Object.fromEntries(extensions),
    ...(projection.has('meta') && {
      meta: {
        resourceType: type.name,
        created: new Date(facts.createdAt).toISOString(),
        lastModified: new Date(facts.changedAt).toISOString(),
        location: facts.location,
        version: facts.version,
      },
    }),
  }
}

const toJson = (value: ScimValue): Json => {
  const entries = listEntries(value)
  if (!entries) return value as string | boolean
  const bodies = entries.map((entry) => Object.fromEntries(entry))
  return value instanceof Map ? (bodies[0] ?? {}) : bodies
}
