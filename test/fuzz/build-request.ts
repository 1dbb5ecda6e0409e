import { operations } from '../../lib/features/operations.ts'
import { openApi } from '../../lib/features/pages/open-api.prebuilt.ts'
import { listMethods, type Operation } from '../../lib/kernel/contract/operation.ts'
import type { JsonValue } from '../support/client.ts'
import { builtInNames, hostileBodies, hostileTexts, hostileValues } from './hostile-values.ts'
import type { Random } from './random.ts'

export interface FuzzRequest {
  readonly operation: Operation
  readonly method: string
  readonly target: string
  /** Header values hold bytes, as `node:http` writes them. */
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body: string | undefined
}

const document: JsonValue = openApi
const hostileHeaders = [
  ...[
    'accept',
    'accept-language',
    'accept-encoding',
    'authorization',
    'content-type',
    'cookie',
    'origin',
    'referer',
  ],
  ...[
    'user-agent',
    'sec-fetch-site',
    'sec-fetch-mode',
    'sec-fetch-dest',
    'if-none-match',
    'forwarded',
    'dpop',
  ],
  ...[
    'x-forwarded-for',
    'x-forwarded-proto',
    'latchkey-client-address',
    'x-http-method-override',
    'constructor',
  ],
] as const
/** Parameters of pages, which accept any. */
const looseNames = [
  ...['ui_locales', 'ui_locales', 'ui_locales', 'language', 'product', 'return_to'],
  ...builtInNames,
] as const
const cookieNames = ['latchkey', 'language', 'oidc', '__Host-latchkey', '__proto__', 'constructor'] as const
const mediaTypes = [
  ...[
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
  ],
  ...['application/json; charset=utf-16', 'application/json;constructor', '__proto__', ''],
] as const

/** Builds a request that an operation understands in most parts, with hostile values in a few of them. */
export const buildRequest = (random: Random, credentials: readonly (string | undefined)[]): FuzzRequest => {
  const operation = operations[random.below(operations.length)] as Operation
  const methods = listMethods(operation)
  const bearer = credentials[random.below(credentials.length)]
  const body = buildBody(random, operation)
  return {
    operation,
    method: methods[random.below(methods.length)] ?? operation.method,
    target: buildPath(random, operation) + buildQuery(random, operation),
    headers: buildHeaders(random, operation, bearer, body),
    body,
  }
}

const describe = ({ path, method }: Operation): JsonValue => document.paths[path][method.toLowerCase()]

const buildPath = (random: Random, { path }: Operation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (random.chance(0.4)) return encode(random, pickText(random)) || '0'
    return /id$/.test(name) ? String(1 + random.below(6)) : `x${random.below(9)}`
  })

const buildQuery = (random: Random, operation: Operation): string => {
  const declared: readonly JsonValue[] = describe(operation).parameters ?? []
  const names = declared
    .map((one) => (one.$ref ? document.components.parameters[one.$ref.split('/').at(-1)] : one))
    .filter((one) => one.in === 'query')
  const pairs = names.flatMap(({ name, example, schema }) => {
    if (random.chance(0.5)) return []
    const usual = example ?? schema.default ?? schema.enum?.[0] ?? '1'
    const value = random.chance(0.4) ? pickText(random) : String(usual)
    const pair = `${name}=${encode(random, value)}`
    return random.chance(0.03) ? [pair, pair] : [pair]
  })
  const isLoose = operation.group === 'pages' || operation.group === 'oidc'
  if (random.chance(isLoose ? 0.6 : 0.05))
    pairs.push(`${encode(random, random.pick(looseNames))}=${encode(random, pickText(random))}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** Percent-encodes a text. Some lone surrogates become the bytes that UTF-8 does not allow, and some texts are not encoded. */
const encode = (random: Random, text: string): string => {
  if (!text.isWellFormed()) return '%ED%A0%80'
  return random.chance(0.05) ? text.replaceAll(/[^\w%.~-]/gu, '_') : encodeURIComponent(text)
}

const buildHeaders = (
  random: Random,
  { bodyType }: Operation,
  bearer: string | undefined,
  body: string | undefined,
): FuzzRequest['headers'] => {
  const headers: [string, string | string[]][] = []
  const isCookie = random.chance(0.2)
  if (bearer !== undefined)
    headers.push(isCookie ? ['cookie', `latchkey=${bearer}`] : ['authorization', `Bearer ${bearer}`])
  if (body !== undefined)
    headers.push([
      'content-type',
      bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
    ])
  if (random.chance(0.03)) headers.push(['content-type', random.pick(mediaTypes)])
  while (random.chance(0.4)) {
    const name = random.pick(hostileHeaders)
    const value = toHeader(pickText(random))
    if (name === 'cookie') headers.push([name, `${random.pick(cookieNames)}=${value}`])
    else headers.push([name, random.chance(0.05) ? [value, value] : value])
  }
  return Object.fromEntries(headers)
}

/** The bytes of a text in UTF-8, without the control characters that no header can have. */
const toHeader = (text: string): string =>
  Buffer.from(text.slice(0, 2000))
    .toString('latin1')
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')

const buildBody = (random: Random, operation: Operation): string | undefined => {
  const content: JsonValue = describe(operation).requestBody?.content
  if (!content) return random.chance(0.02) ? random.pick(hostileBodies) : undefined
  if (random.chance(0.1)) return random.pick(hostileBodies)
  const { schema, examples, example } = Object.values<JsonValue>(content)[0]
  const values = [example, ...Object.values<JsonValue>(examples ?? {}).map(({ value }) => value)]
  const shown = values.filter((value) => value !== undefined)
  const base = shown[random.below(shown.length)] ?? {}
  const fields = { ...sampleFields(random, schema), ...(Array.isArray(base) ? {} : base) }
  const value = change(random, Array.isArray(base) && random.chance(0.8) ? base : fields)
  if (operation.bodyType !== 'form') return JSON.stringify(value)
  return Object.entries(Object(value))
    .map(([name, text]) => `${encode(random, name)}=${encode(random, String(toText(text)))}`)
    .join('&')
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** Some of the fields of a schema, with hostile values. */
const sampleFields = (random: Random, schema: JsonValue): JsonValue => {
  const resolved = schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema
  const names = Object.keys(resolved?.properties ?? {})
  const chosen = names.filter(() => random.chance(0.1))
  return Object.fromEntries(chosen.map((name) => [name, pickValue(random)]))
}

/** Names of built-in members are the most likely. */
const pickText = (random: Random): string =>
  random.chance(0.3) ? random.pick(builtInNames) : random.pick(hostileTexts)
const pickValue = (random: Random): unknown =>
  random.chance(0.3) ? random.pick(builtInNames) : hostileValues[random.below(hostileValues.length)]

/** Replaces, removes or adds values anywhere in a body. */
const change = (random: Random, value: JsonValue): JsonValue => {
  if (Array.isArray(value)) {
    if (random.chance(0.05)) return pickValue(random)
    return value.map((part) => change(random, part))
  }
  if (typeof value !== 'object' || value === null) return random.chance(0.15) ? pickValue(random) : value
  const entries = Object.entries(value)
    .filter(() => !random.chance(0.03))
    .map(([name, part]) => [name, change(random, part)])
  const extra = random.chance(0.08) ? [[random.pick(builtInNames), pickValue(random)]] : []
  return Object.fromEntries([...entries, ...extra])
}
