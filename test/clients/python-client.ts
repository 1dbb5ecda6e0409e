import type { JsonValue } from '../support/client.ts'
import { sendExactly } from '../support/raw-http.ts'
import type { Outcome } from './npm-client.ts'
import type { PythonMethod } from './python-methods.ts'
import type { Call } from './row.ts'

/** Writes a query like `urlencode` of Python: `True`, and a plus sign for a space. */
const toQuery = (query: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [
      name,
      typeof value === 'boolean' ? (value ? 'True' : 'False') : String(value),
    ]),
  ).toString()

/** Writes JSON like `json.dumps` of Python: with spaces, and all characters beyond ASCII escaped. */
const toJson = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(toJson).join(', ')}]`
    : typeof value === 'object' && value !== null
      ? `{${Object.entries(value)
          .map(([key, item]) => `${toJson(key)}: ${toJson(item)}`)
          .join(', ')}}`
      : JSON.stringify(value).replace(
          /[\u0080-\uffff]/g,
          (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
        )

/** Sends the request that the Python client makes of a call. */
export const callPython = async (url: string, method: PythonMethod, call: Call): Promise<Outcome> => {
  const [verb = '', template = ''] = method.route.split(' ')
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(call.path?.[name])),
  )
  const query = toQuery(call.query ?? {})
  const body = call.body && toJson(call.body)
  const answer = await sendExactly(Number(new URL(url).port), query === '' ? path : `${path}?${query}`, {
    method: verb,
    headers: {
      'Accept-Encoding': 'identity',
      ...(method.returns !== null && { Accept: 'application/json' }),
      // Sent without a body as well.
      ...(['POST', 'PUT', 'PATCH'].includes(verb) && {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body ?? ''),
      }),
      'User-Agent': 'OpenAPI-Generator/26.5.0/python',
      ...(call.bearer !== undefined && { Authorization: `Bearer ${call.bearer}` }),
    },
    ...(body !== undefined && { body }),
  })
  const isJson = /\bjson\b/.test(answer.headers['content-type'] ?? '')
  const parsed: JsonValue = isJson && answer.body !== '' ? JSON.parse(answer.body) : undefined
  return { status: answer.status, text: answer.body, body: parsed, problems: [] }
}
