/** A call as the reader filled it in. Empty parameters are not sent, except for those of the path. */
export interface Call {
  readonly method: string
  /** The path with its parameters in braces. */
  readonly path: string
  readonly parameters: readonly CallParameter[]
  readonly body: { readonly type: string; readonly text: string } | undefined
  /** A credential to send instead of the session cookie of the browser. */
  readonly bearer: string
}

export interface CallParameter {
  readonly place: string
  readonly name: string
  readonly value: string
}

/** How long a call may take. */
const timeoutMs = 60_000

/**
 * Sends a call to the service that the page comes from. Redirects are not followed, because they can lead to other
 * origins. Throws an `Error` whose message explains what is wrong with the call.
 */
export const sendCall = async (call: Call): Promise<Response> => {
  const headers = new Headers()
  try {
    for (const { name, value } of listGiven(call, 'header')) headers.set(name, value)
    if (call.bearer) headers.set('Authorization', `Bearer ${call.bearer}`)
  } catch {
    throw new Error('A header contains characters that HTTP does not allow.')
  }
  const body = call.body && { text: encodeBody(call.body), type: call.body.type }
  if (body?.text) headers.set('Content-Type', body.type)
  return fetch(buildUrl(call), {
    method: call.method,
    headers,
    ...(body?.text ? { body: body.text } : {}),
    // Both together would be two answers to who is calling.
    credentials: call.bearer ? 'omit' : 'same-origin',
    cache: 'no-store',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
}

const listGiven = ({ parameters }: Call, place: string): readonly CallParameter[] =>
  parameters.filter((parameter) => parameter.place === place && parameter.value !== '')

const buildUrl = (call: Call): string => {
  const values = new Map(listGiven(call, 'path').map(({ name, value }) => [name, value]))
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values.get(name)
    // Browsers resolve these segments, so that the call would reach another operation.
    if (value === undefined || value === '.' || value === '..') throw new Error(`Fill in ${name}.`)
    return encodeURIComponent(value)
  })
  const query = new URLSearchParams(listGiven(call, 'query').map(({ name, value }) => [name, value]))
  return query.size > 0 ? `${path}?${query}` : path
}

/** JSON is sent as it was typed, so that readers can also try invalid bodies. */
const encodeBody = ({ type, text }: NonNullable<Call['body']>): string => {
  if (type === 'application/json') return text
  try {
    return new URLSearchParams(JSON.parse(text || '{}')).toString()
  } catch {
    throw new Error('Write the fields of the form as a JSON object.')
  }
}
