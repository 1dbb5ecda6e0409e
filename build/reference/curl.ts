import { type ApiDocument, type Content, type Parameter, type Route, resolve } from './document.ts'
import { buildSample, listSamples } from './samples.ts'

/** Builds a shell command that calls an operation, with the examples of its parameters and body. */
export const buildCurl = (document: ApiDocument, { method, path, operation }: Route): string => {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter))
  const url = document.servers[0]?.url + fillPath(document, path, parameters)
  const content = operation.requestBody ? resolve(document, operation.requestBody).content : {}
  const [[type, body] = []] = Object.entries(content)
  const needsCredential = (operation.security ?? []).length > 0 && !operation.security?.some(isEmpty)
  return [
    `curl ${quote(url)}`,
    ...(method === 'GET' || (method === 'POST' && body) ? [] : [`-X ${method}`]),
    ...(needsCredential ? [`-H ${quote('Authorization: Bearer YOUR_CREDENTIAL')}`] : []),
    ...(type !== undefined && body ? writeBody(document, type, body) : []),
  ].join(' \\\n  ')
}

const isEmpty = (scheme: object): boolean => Object.keys(scheme).length === 0

const fillPath = (document: ApiDocument, path: string, parameters: readonly Parameter[]): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name)
    return encodeURIComponent(String(findExample(document, parameter)))
  })

/** Returns the example of a parameter, or a value that its schema allows. */
export const findExample = (document: ApiDocument, parameter: Parameter | undefined): unknown =>
  parameter?.example ?? buildSample(document, parameter?.schema ?? { type: 'string' })

const writeBody = (document: ApiDocument, type: string, content: Content): readonly string[] => {
  const [sample] = listSamples(document, content)
  if (type !== 'application/json')
    return Object.entries(sample?.value ?? {}).map(
      ([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`,
    )
  return [
    `-H ${quote('Content-Type: application/json')}`,
    `-d ${quote(JSON.stringify(sample?.value, undefined, 2))}`,
  ]
}

/** Quotes a text for a POSIX shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
