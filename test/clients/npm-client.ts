import * as sdk from 'elements-sdk'
import type { JsonValue } from '../support/client.ts'
import { type NpmMethod, readRequiredFields } from './npm-methods.ts'
import type { Call } from './row.ts'

export interface Outcome {
  readonly status: number
  readonly text: string
  /** The JSON body; `undefined` for any other. */
  readonly body: JsonValue
  /** Why the client cannot use the response. */
  readonly problems: readonly string[]
}

/** Calls a method of the npm client, and records the response by its own middleware. Redirects are not followed. */
export const callNpm = async (url: string, method: NpmMethod, call: Call): Promise<Outcome> => {
  let recorded: Response | undefined
  const configuration = new sdk.Configuration({
    basePath: url,
    ...(call.bearer !== undefined && { apiKey: `Bearer ${call.bearer}` }),
    middleware: [
      {
        post: async ({ response }) => {
          recorded = response
        },
      },
    ],
  })
  const api: object = Reflect.construct(Reflect.get(sdk, method.api), [configuration])
  let result: unknown
  try {
    result = await Reflect.apply(Reflect.get(api, method.name), api, toArguments(method, call))
  } catch (error) {
    // The client throws the response of a refused call.
    if (!(error instanceof Response)) throw error
  }
  if (recorded === undefined) throw new Error(`${method.id} sent no request`)
  const text = await recorded.text()
  const isJson = /\bjson\b/.test(recorded.headers.get('content-type') ?? '')
  const body: JsonValue = isJson && text !== '' ? JSON.parse(text) : undefined
  return {
    status: recorded.status,
    text,
    body,
    problems: recorded.ok ? findProblems(method, body, result) : [],
  }
}

/** Converts wire names and values to those of the client, with the client's own conversion of bodies. */
const toArguments = (method: NpmMethod, { path, query, body }: Call): unknown[] => {
  const rename = (names: Readonly<Record<string, string>>, given: Readonly<Record<string, unknown>> = {}) =>
    Object.entries(given).map(([wireName, value]) => {
      const name = names[wireName]
      if (name === undefined) throw new Error(`${method.id} has no parameter ${wireName}`)
      return [name, value]
    })
  const parameters = Object.fromEntries([
    ...rename(method.path, path),
    ...rename(method.query, query),
    ...(method.body
      ? [[method.body.parameter, Reflect.get(sdk, `${method.body.model}FromJSON`)(body ?? {})]]
      : []),
  ])
  const takesParameters = [method.path, method.query, method.body ?? {}].some(
    (names) => Object.keys(names).length > 0,
  )
  return [...(takesParameters ? [parameters] : []), { redirect: 'manual' }]
}

/** Checks what the client made of the response: fields that it requires, and times. */
const findProblems = ({ id, returns }: NpmMethod, body: JsonValue, result: unknown): string[] => {
  if (returns === null) return result === undefined ? [] : [`${id} returned a result`]
  const required = readRequiredFields(returns.replace('[]', ''))
  const rows: readonly JsonValue[] = returns.endsWith('[]') ? body : [body]
  return [
    ...rows.flatMap((row) => required.filter((field) => row[field] === undefined)),
    ...(hasInvalidTime(result) ? ['a time was not understood'] : []),
  ]
}

const hasInvalidTime = (value: unknown): boolean =>
  value instanceof Date
    ? Number.isNaN(value.getTime())
    : typeof value === 'object' && value !== null && Object.values(value).some(hasInvalidTime)
