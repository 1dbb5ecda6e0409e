import * as sdk from 'elements-sdk'

/** A method of the published npm client, as its compiled source declares it. Wire names are snake_case. */
export interface NpmMethod {
  /** The class and the method: `AuthApi.getAllAccessTokens`. */
  readonly id: string
  readonly api: string
  readonly name: string
  readonly route: string
  /** The client's names of path and query parameters, by wire name. */
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body?: NpmBody
  /** The client's model of the response; `null` if the client ignores the body. */
  readonly returns: string | null
}

export interface NpmBody {
  /** The client's name of the parameter that is sent as the body. */
  readonly parameter: string
  readonly model: string
  readonly fields: readonly string[]
}

const apis = Object.keys(sdk).filter((name) => name.endsWith('Api'))

const sourceOf = (name: string): string => String(Reflect.get(sdk, name))

/** Returns pairs of captured texts as an object. */
const matchPairs = (source: string, pattern: RegExp): Record<string, string> =>
  Object.fromEntries([...source.matchAll(pattern)].map(([, key = '', value = '']) => [key, value]))

const matchOne = (source: string, pattern: RegExp): string => {
  const [, found] = pattern.exec(source) ?? []
  if (found === undefined) throw new Error(`the client no longer matches ${pattern}`)
  return found
}

/** The wire names of the fields that the client sends in a body. */
const readFields = (model: string): string[] =>
  Object.keys(matchPairs(sourceOf(`${model}ToJSON`), /'(\w+)': /g))

const readMethod = (api: string, name: string, source: string): NpmMethod => {
  const [, model, parameter] = /body: \w+\.(\w+)ToJSON\(requestParameters\.(\w+)\)/.exec(source) ?? []
  const [, isList, returns] = /jsonValue\) \{ return (jsonValue\.map\()?\w+\.(\w+)FromJSON/.exec(source) ?? []
  return {
    id: `${api}.${name}`,
    api,
    name,
    route: `${matchOne(source, /method: '(\w+)'/)} ${matchOne(source, /path: "([^"]+)"/)}`,
    path: matchPairs(
      source,
      /\{" \+ "(\w+)" \+ "\}", encodeURIComponent\(String\(requestParameters\.(\w+)\)/g,
    ),
    query: matchPairs(source, /queryParameters\['(\w+)'\] = requestParameters\.(\w+)/g),
    ...(model && parameter && { body: { parameter, model, fields: readFields(model) } }),
    returns: returns === undefined ? null : `${returns}${isList ? '[]' : ''}`,
  }
}

/** All methods of all API classes of the package. */
export const npmMethods: readonly NpmMethod[] = apis.flatMap((api) => {
  const methods: object = Reflect.get(sdk, api).prototype
  return Object.getOwnPropertyNames(methods)
    .filter((raw) => raw.endsWith('Raw'))
    .map((raw) => readMethod(api, raw.slice(0, -'Raw'.length), String(Reflect.get(methods, raw))))
})

/**
 * The fields of a response that the client reads without checking that they are present. Nested models that are missing stay
 * missing in its result.
 */
export const readRequiredFields = (model: string): string[] =>
  [...sourceOf(`${model}FromJSONTyped`).matchAll(/'\w+': (.*)/g)]
    .filter(([, expression = '']) => !/exists\(json|\.\w+FromJSON\(json/.test(expression))
    .map(([, expression = '']) => matchOne(expression, /json\['(\w+)'\]/))
