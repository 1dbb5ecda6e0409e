import { type ClientOperation, listClientOperations, readDocument } from '../client/client-operations.ts'
import { type Html, html } from './html.ts'

/** A call of an operation with the examples of its parameters and its body. Each language writes the same one. */
export interface Call {
  readonly id: string
  readonly method: string
  readonly server: string
  /** The path with its parameters filled in. */
  readonly path: string
  readonly pathValues: readonly unknown[]
  readonly needsCredential: boolean
  readonly body: { readonly type: string; readonly value: unknown } | undefined
}

/** Renders a call in each language. Radio buttons choose which one is shown, so that it works without scripts. */
export const renderCalls = (call: Call): Html => {
  const texts = Object.entries(languages).flatMap(([name, { title, write }]) => {
    const text = write(call)
    return text === undefined ? [] : [{ name, title, text }]
  })
  return html`<h3 id="${call.id}--call">Call</h3>
<div class="calls"><div class="languages" role="radiogroup" aria-labelledby="${call.id}--call">${texts.map(
    ({ name, title }, at) =>
      html`<label><input type="radio" name="${call.id}--language" value="${name}"${at === 0 ? html` checked` : ''}>${title}</label>`,
  )}</div>${texts.map(({ name, text }) => html`<pre data-language="${name}"><code>${text}</code></pre>`)}</div>`
}

const isForm = ({ body }: Call): boolean => body !== undefined && body.type !== 'application/json'

const addressOf = ({ server, path }: Call): string => `${server}${path}`

const credential = 'YOUR_CREDENTIAL'

const writeCurl = (call: Call): string => {
  const { method, body, needsCredential } = call
  return [
    `curl ${quote(addressOf(call))}`,
    ...(method === 'GET' || (method === 'POST' && body) ? [] : [`-X ${method}`]),
    ...(needsCredential ? [`-H ${quote(`Authorization: Bearer ${credential}`)}`] : []),
    ...(body ? writeCurlBody(call, body.value) : []),
  ].join(' \\\n  ')
}

const writeCurlBody = (call: Call, value: unknown): readonly string[] =>
  isForm(call)
    ? Object.entries(value ?? {}).map(([name, field]) => `--data-urlencode ${quote(`${name}=${field}`)}`)
    : [`-H ${quote('Content-Type: application/json')}`, `-d ${quote(JSON.stringify(value, undefined, 2))}`]

/** Quotes a text for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The operations of the typed client by their IDs. */
let clientOperations: ReadonlyMap<string, ClientOperation> | undefined

const writeTypeScript = (call: Call): string | undefined => {
  clientOperations ??= new Map(listClientOperations(readDocument()).map((one) => [one.id, one]))
  const operation = clientOperations.get(call.id)
  if (!operation) return undefined
  const { group, name, result } = operation
  const values = [...call.pathValues, ...(operation.body ? [call.body?.value] : [])].map((value) =>
    writeValue(value, scriptSyntax),
  )
  const options = [
    `baseUrl: ${scriptSyntax.text(call.server)}`,
    ...(call.needsCredential ? [`credential: ${scriptSyntax.text(credential)}`] : []),
  ]
  const method = `latchkey.${group}.${name}(${values.join(', ')})`
  const statements = { url: `const url = ${method}`, none: `await ${method}` } as const
  return `import { createClient } from '@latchkey/client'

const latchkey = createClient({ ${options.join(', ')} })
${result === 'url' || result === 'none' ? statements[result] : `const answer = await ${method}`}`
}

const writePython = (call: Call): string => {
  const { method, needsCredential, body } = call
  const lines = [
    writeValue(addressOf(call), pythonSyntax),
    ...(needsCredential ? [`headers={"Authorization": "Bearer ${credential}"}`] : []),
    ...(body ? [`${isForm(call) ? 'data' : 'json'}=${writeValue(body.value, pythonSyntax, 1)}`] : []),
  ]
  return `import requests

response = requests.${method.toLowerCase()}(
${lines.map((line) => `    ${line},`).join('\n')}
)
response.raise_for_status()`
}

/** How a language writes values. */
interface Syntax {
  readonly indentation: string
  readonly words: Readonly<Record<string, string>>
  readonly text: (text: string) => string
  readonly key: (name: string) => string
}

const scriptSyntax: Syntax = {
  indentation: '  ',
  words: {},
  text: (text) => (/^[^'\\\n]*$/.test(text) ? `'${text}'` : JSON.stringify(text)),
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)),
}

const pythonSyntax: Syntax = {
  indentation: '    ',
  words: { true: 'True', false: 'False', null: 'None' },
  text: (text) => JSON.stringify(text),
  key: (name) => JSON.stringify(name),
}

/** Writes a JSON value as a literal. Lists and objects have a line for each element, unless they are short. */
const writeValue = (value: unknown, syntax: Syntax, depth = 0): string => {
  if (typeof value === 'string') return syntax.text(value)
  if (typeof value !== 'object' || value === null) return syntax.words[String(value)] ?? String(value)
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((one) => writeValue(one, syntax, depth + 1))
    : Object.entries(value).map(([name, one]) => `${syntax.key(name)}: ${writeValue(one, syntax, depth + 1)}`)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const short = parts.join(', ')
  if (short.length <= 60 && !short.includes('\n'))
    return isList || short === '' ? `${open}${short}${close}` : `${open} ${short} ${close}`
  const inner = syntax.indentation.repeat(depth + 1)
  return `${open}\n${parts.map((part) => `${inner}${part},`).join('\n')}\n${syntax.indentation.repeat(depth)}${close}`
}

const languages: Readonly<
  Record<string, { readonly title: string; readonly write: (call: Call) => string | undefined }>
> = {
  curl: { title: 'curl', write: writeCurl },
  typescript: { title: 'TypeScript', write: writeTypeScript },
  python: { title: 'Python', write: writePython },
}
