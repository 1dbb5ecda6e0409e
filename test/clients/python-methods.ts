import type { Fact } from '../contract/model-facts.ts'
import knownModels from '../contract/models.json' with { type: 'json' }
import published from './python-methods.json' with { type: 'json' }

/**
 * A method of the published Python client, version 26.5.0, written down from its documentation. The client is not a package
 * of this language, so tests send the requests that its methods make.
 */
export interface PythonMethod {
  /** The class and the method: `AuthApi.get_all_access_tokens`. */
  readonly id: string
  readonly name: string
  readonly route: string
  /** The query parameters, or the fields of the body. */
  readonly parameters: readonly string[]
  readonly returns: string | null
}

interface Published {
  readonly route: string
  readonly query?: readonly string[]
  /** A known model, or the fields of one that only this client has. */
  readonly body?: string | readonly string[]
  readonly returns?: string | null
}

const known: Readonly<Record<string, Readonly<Record<string, Fact>>>> = knownModels

const readFields = (body: string | readonly string[]): readonly string[] =>
  typeof body === 'string'
    ? Object.entries(known[body] ?? {})
        .filter(([, { readOnly }]) => !readOnly)
        .map(([field]) => field)
    : body

export const pythonMethods: readonly PythonMethod[] = Object.entries<Published>(published).map(
  ([id, { route, query = [], body = [], returns = null }]) => ({
    id,
    name: id.replace(/^\w+\./, ''),
    route,
    parameters: [...query, ...readFields(body)],
    returns,
  }),
)
