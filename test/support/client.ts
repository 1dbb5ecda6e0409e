/** A JSON object in a response. */
export interface Json {
  readonly [name: string]: JsonValue
}
// biome-ignore lint/suspicious/noExplicitAny: tests check the shape of responses, so it cannot be assumed
export type JsonValue = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly cookies: readonly string[]
  readonly text: string
  readonly body: JsonValue
}

export interface RequestOptions {
  readonly body?: unknown
  /** Sent unchanged, instead of `body` as JSON. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
  readonly bearer?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Client = (method: string, path: string, options?: RequestOptions) => Promise<Answer>

/** Creates an HTTP client for a service. It follows no redirects. */
export const clientOf =
  (url: string): Client =>
  async (method, path, { body, raw, bearer, headers = {} } = {}) => {
    const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
    })
    const text = await response.text()
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
    return {
      status: response.status,
      headers: response.headers,
      cookies: response.headers.getSetCookie(),
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
  }
