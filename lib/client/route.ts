/** What a call returns: a JSON value, a page of a list, text, nothing, or the address that a browser opens. */
export type Result = 'json' | 'list' | 'text' | 'none' | 'url'

/** What a method needs to know of its operation. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly result: Result
  /** The argument after the path parameters. */
  readonly input: 'body' | 'form' | 'query' | 'no_input'
  /** Whether the operation reads credentials: any, none, or those of the server of a product alone. */
  readonly caller: 'caller' | 'anonymous' | 'product'
}

/** Reads an entry of the generated routes: `GET /api/2/users/{id} json query caller`. */
export const parseRoute = (text: string): Route => {
  const [method, path, result, input, caller] = text.split(' ')
  return { method, path, result, input, caller } as Route
}
