/*
 * The parts of an OpenAPI 3.1 document that the reference shows. References are resolved where they occur, except for
 * those to models, which become links.
 */

export interface Reference {
  readonly $ref: string
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly readOnly?: boolean
  readonly 'x-published-clients'?: boolean
}

export interface Example {
  readonly summary?: string
  readonly value?: unknown
}

export interface Content {
  readonly schema?: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, Example | Reference>>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly description?: string
  readonly required?: boolean
  readonly schema?: Schema
  readonly example?: unknown
  readonly 'x-published-clients'?: boolean
}

export interface Header {
  readonly description?: string
  readonly schema?: Schema
  readonly example?: unknown
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly content?: Readonly<Record<string, Content>>
}

export interface RequestBody {
  readonly required?: boolean
  readonly description?: string
  readonly content: Readonly<Record<string, Content>>
}

export interface ApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly requestBody?: RequestBody | Reference
  readonly responses: Readonly<Record<string, Response | Reference>>
}

export interface Tag {
  readonly name: string
  /** The name that readers see, an extension that several tools share. */
  readonly 'x-displayName'?: string
  readonly description?: string
}

export interface ApiDocument {
  readonly info: { readonly title: string; readonly description?: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly Tag[]
  /** The tags by topic, an extension that several tools share. */
  readonly 'x-tagGroups'?: readonly { readonly name: string; readonly tags: readonly string[] }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly headers?: Readonly<Record<string, Header | Reference>>
  }
}

/** Reads a built document. Its parts have other types there, because each of them is built from declarations. */
export const readDocument = (built: object): ApiDocument => JSON.parse(JSON.stringify(built))

/** An operation together with its route. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly operation: ApiOperation
}

export interface Topic {
  readonly name: string
  readonly tags: readonly Tag[]
}

/** Lists the tags by topic, in the order for readers. */
export const listTopics = ({ tags, 'x-tagGroups': groups }: ApiDocument): readonly Topic[] =>
  groups?.map((group) => ({
    name: group.name,
    tags: group.tags.flatMap((name) => tags.find((tag) => tag.name === name) ?? []),
  })) ?? [{ name: 'Operations', tags }]

/** Lists all operations in the order of the document. */
export const listRoutes = ({ paths }: ApiDocument): readonly Route[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** Returns what a reference points to, or the value itself. Throws an `Error` if the target does not exist. */
export const resolve = <Value extends object>(document: ApiDocument, value: Value | Reference): Value => {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as Value
  const target = value.$ref
    .slice('#/'.length)
    .split('/')
    .reduce<unknown>((parent, name) => (parent as Readonly<Record<string, unknown>>)?.[name], document)
  if (typeof target !== 'object' || target === null) throw new Error(`${value.$ref} does not exist.`)
  return resolve(document, target as Value | Reference)
}

type NamedSchema = readonly [name: string, schema: Schema]

const modelLists = new WeakMap<ApiDocument, readonly NamedSchema[]>()

/**
 * Lists the models that the page explains in a section of their own. The body of a single request is explained with its
 * operation. The bodies of errors are left out, because each is a `Problem` with the codes that the operation names.
 */
export const listModels = (document: ApiDocument): readonly NamedSchema[] => {
  const known = modelLists.get(document)
  if (known) return known
  const uses = countReferences(document)
  const bodies = new Set(
    listRoutes(document).flatMap(({ operation }) => findBodyModel(document, operation) ?? []),
  )
  const models = Object.entries(document.components.schemas).filter(
    ([name]) => !/.Problem$/.test(name) && !(bodies.has(name) && uses.get(name) === 1),
  )
  modelLists.set(document, models)
  return models
}

const findBodyModel = (document: ApiDocument, { requestBody }: ApiOperation): string | undefined => {
  const [content] = requestBody ? Object.values(resolve(document, requestBody).content) : []
  return content?.schema && getModelName(content.schema)
}

/** Returns the model of a body that no other place refers to, which is explained with its operation. */
export const findOwnModel = (
  document: ApiDocument,
  operation: ApiOperation,
): { readonly name: string; readonly schema: Schema } | undefined => {
  const name = findBodyModel(document, operation)
  const schema = name === undefined ? undefined : document.components.schemas[name]
  if (name === undefined || !schema || listModels(document).some(([other]) => other === name))
    return undefined
  return { name, schema }
}

const countReferences = (document: ApiDocument): ReadonlyMap<string, number> => {
  const references = JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)
  const names = [...references].map(([, name = '']) => name)
  return new Map([...Map.groupBy(names, (name) => name)].map(([name, uses]) => [name, uses.length]))
}

/** Returns the name of the model that a schema refers to. */
export const getModelName = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1)
