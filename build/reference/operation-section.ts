import { STATUS_CODES } from 'node:http'
import { type Call, renderCalls } from './calls.ts'
import {
  type ApiDocument,
  type ApiOperation,
  type Content,
  findOwnModel,
  getModelName,
  type Parameter,
  type Response,
  type Route,
  resolve,
  type Schema,
} from './document.ts'
import { describeType, type Field, listFields, renderFields } from './fields.ts'
import { type Html, html, joinHtml, renderHeading } from './html.ts'
import type { ReferenceContext } from './reference-context.ts'
import { linkHeader } from './shared-sections.ts'

/** Renders an operation: its route, access, parameters, body, a call in several languages, and its responses. */
export const renderOperation = (context: ReferenceContext, route: Route): Html => {
  const { document, markdown, accessRules } = context
  const { method, path, operation } = route
  const { operationId: id, summary, description = '' } = operation
  const body = operation.requestBody && resolve(document, operation.requestBody)
  const [[type, content] = []] = Object.entries(body?.content ?? {})
  const rules = accessRules.get(id) ?? ''
  const text = description.endsWith(rules)
    ? description.slice(0, description.length - rules.length)
    : description
  return html`<section class="operation" id="${id}" aria-labelledby="${id}--title" data-method="${method}" data-path="${path}"${
    type === undefined ? '' : html` data-type="${type}"`
  }>
${renderHeading({ level: 2, id, title: summary, titleId: `${id}--title` })}
<p class="route"><span class="method">${method}</span> <code>${path}</code></p>
<p class="facts">Operation <code>${id}</code></p>
${markdown.render(text.trim())}
${renderAccess(operation, markdown.render(rules))}
${renderParameters(context, route)}
${type !== undefined && content ? renderRequestBody(context, operation, type, content) : undefined}
${renderCalls(readCall(document, route))}
${renderResponses(context, route)}
</section>`
}

const places = { path: 'Path parameters', query: 'Query parameters', header: 'Header parameters' }

const renderParameters = (context: ReferenceContext, { operation }: Route): Html => {
  const { document, markdown } = context
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter))
  return html`${Object.entries(places).map(([place, title]) => {
    const fields = parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => toField(context, parameter))
    return fields.length === 0
      ? undefined
      : html`<h3>${title}</h3>${renderFields(fields, markdown, { idPrefix: `${operation.operationId}.` })}`
  })}`
}

const toField = ({ document }: ReferenceContext, parameter: Parameter): Field => {
  const { name, description, required = false, schema = {} } = parameter
  const given = parameter.example ?? schema.examples?.[0]
  // Calls need a value for each part of the path.
  const example = given ?? (parameter.in === 'path' ? findExample(document, parameter) : undefined)
  return {
    name,
    schema,
    description,
    example,
    isRequired: required,
    isForPublishedClients: parameter['x-published-clients'],
    place: parameter.in,
  }
}

/** Renders who may call an operation, with which credentials and under which further rules. */
const renderAccess = (operation: ApiOperation, rules: Html | undefined): Html =>
  html`<h3>Access</h3><p>${describeCredentials(operation)}</p>${rules}`

const describeCredentials = ({ security = [] }: ApiOperation): Html => {
  if (security.length === 0) return html`Anyone may call this operation. Credentials are ignored.`
  if (security.some((scheme) => Object.keys(scheme).length === 0))
    return html`Anyone may call this operation. A credential is optional.`
  return html`Requires a credential: the header <code>Authorization: Bearer …</code> or the session cookie.`
}

/** Renders the body of a request with its fields and examples. The model of this request alone is explained here. */
const renderRequestBody = (
  context: ReferenceContext,
  operation: ApiOperation,
  type: string,
  content: Content,
): Html => {
  const { document, markdown } = context
  const { schema = {} } = content
  const model = getModelName(schema)
  const target: Schema | undefined = model === undefined ? schema : document.components.schemas[model]
  const isOwn = findOwnModel(document, operation) !== undefined
  const options = isOwn ? { idPrefix: `${model}.` } : { linkPrefix: `${model}.` }
  const fields = target ? listFields(target) : []
  return html`<h3${isOwn ? html` id="${model}"` : ''}>Request body</h3><p><code>${type}</code>: ${describeType(schema)}</p>
${isOwn ? markdown.render(target?.description) : undefined}
${fields.length > 0 ? renderFields(fields, markdown, model === undefined ? {} : options) : undefined}
<div class="request">${renderSamples(document, content)}</div>`
}

/** Reads the call of an operation, with the examples of its parameters and body. */
const readCall = (document: ApiDocument, { method, path, operation }: Route): Call => {
  const parameters = (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter))
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) =>
    parameters.find((one) => one.in === 'path' && one.name === name),
  )
  const pathValues = inPath.map((parameter) => findExample(document, parameter))
  const values = pathValues.values()
  const content = operation.requestBody ? resolve(document, operation.requestBody).content : {}
  const [[type, body] = []] = Object.entries(content)
  const { security = [] } = operation
  return {
    id: operation.operationId,
    method,
    server: document.servers[0]?.url ?? '',
    path: path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(String(values.next().value))),
    pathValues,
    needsCredential: security.length > 0 && !security.some(isEmpty),
    body: type !== undefined && body ? { type, value: listSamples(document, body)[0]?.value } : undefined,
  }
}

const isEmpty = (scheme: object): boolean => Object.keys(scheme).length === 0

/** Returns the example of a parameter, or a value that its schema allows. */
const findExample = (document: ApiDocument, parameter: Parameter | undefined): unknown =>
  parameter?.example ?? buildSample(document, parameter?.schema ?? { type: 'string' })

/** Renders the responses of an operation by status. Errors name their codes and reasons, which the page explains once. */
const renderResponses = (context: ReferenceContext, { operation }: Route): Html =>
  html`<h3>Responses</h3>
<dl class="fields">${Object.entries(operation.responses).map(([status, response]) =>
    renderResponse(context, status, resolve<Response>(context.document, response)),
  )}</dl>`

const renderResponse = (context: ReferenceContext, status: string, response: Response): Html => {
  const { description, content = {} } = response
  const problem = content['application/problem+json']?.schema
  const [type] = Object.keys(content)
  return html`<div><dt><strong>${status}</strong> ${STATUS_CODES[status] ?? 'Any other'} ${
    type === undefined || problem
      ? ''
      : html`<span class="facts">${describeContent(type, content[type]?.schema)}</span>`
  }</dt>
<dd>${problem ? renderProblem(context, problem) : context.markdown.render(description)}${renderHeaders(response)}${
    type?.endsWith('json') && !problem ? renderSamples(context.document, content[type] ?? {}) : undefined
  }</dd></div>`
}

const describeContent = (type: string, schema: Schema | undefined): Html =>
  schema && type.endsWith('json') ? describeType(schema) : html`<code>${type}</code>`

/** Lists the error codes of a response, each with its reasons. */
const renderProblem = ({ document, markdown }: ReferenceContext, schema: Schema): Html => {
  const options = (schema.oneOf ?? [schema]).map((option) =>
    option.$ref === undefined ? option : resolve<Schema>(document, { $ref: option.$ref }),
  )
  return html`${options.map(({ properties = {} }) => {
    const codes = listValues(properties['code']).map(markdown.linkName)
    const reasons = listValues(properties['reason']).map(markdown.linkName)
    return html`<p class="names">${joinHtml(codes, ', ')}${
      reasons.length > 0 ? html`, reasons: ${joinHtml(reasons, ', ')}` : ''
    }</p>`
  })}`
}

const listValues = (schema: Schema = {}): readonly string[] => (schema.enum ?? []).map(String)

const renderHeaders = ({ headers = {} }: Response): Html | undefined => {
  const links = Object.entries(headers).flatMap(([name, header]) => linkHeader(name, header) ?? [])
  return links.length === 0 ? undefined : html`<p class="names">Headers: ${joinHtml(links, ', ')}</p>`
}

/** Renders the examples of a body, each behind its title. */
const renderSamples = (document: ApiDocument, content: Content): Html =>
  html`${listSamples(document, content).map(
    ({ title, value }) =>
      html`<details class="sample"><summary>Example${title ? `: ${title}` : ''}</summary><pre><code>${formatSample(value)}</code></pre></details>`,
  )}`

const formatSample = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)

/** An example of a body, with a title if there are several. */
interface Sample {
  readonly title: string
  readonly value: unknown
}

/** Lists the examples of a body. Without any, builds one from the schema. */
const listSamples = (document: ApiDocument, content: Content): readonly Sample[] => {
  const given = Object.values(content.examples ?? {}).map((example) => {
    const { summary = '', value } = resolve(document, example)
    return { title: summary, value }
  })
  if (given.length > 0) return given
  if (content.example !== undefined) return [{ title: '', value: content.example }]
  return content.schema ? [{ title: '', value: buildSample(document, content.schema) }] : []
}

/** Builds a value that matches a schema. Optional fields of requests are left out if they have no example. */
const buildSample = (document: ApiDocument, schema: Schema, depth = 0): unknown => {
  const target: Schema = schema.$ref === undefined ? schema : resolve<Schema>(document, { $ref: schema.$ref })
  const [example] = target.examples ?? []
  if (example !== undefined) return example
  if (target.example !== undefined) return target.example
  if (target.const !== undefined) return target.const
  if (target.default !== undefined) return target.default
  if (target.enum) return target.enum[0]
  const option = (target.anyOf ?? target.oneOf)?.[0]
  if (option) return buildSample(document, option, depth)
  return buildByType(document, target, depth)
}

const buildByType = (document: ApiDocument, schema: Schema, depth: number): unknown => {
  const [type] = [schema.type ?? 'object'].flat()
  if (type === 'array')
    return schema.items && depth < 4 ? [buildSample(document, schema.items, depth + 1)] : []
  if (type === 'object') return buildObject(document, schema, depth)
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 1, 1)
  if (type === 'boolean') return true
  if (type === 'null') return null
  return schema.format === 'date-time' ? '2026-01-31T12:00:00.000Z' : 'text'
}

const buildObject = (document: ApiDocument, schema: Schema, depth: number): unknown => {
  const required = schema.required ?? []
  const fields = Object.entries(schema.properties ?? {}).filter(
    ([name, field]) => required.includes(name) || (field.examples ?? []).length > 0,
  )
  if (depth > 4) return {}
  return Object.fromEntries(fields.map(([name, field]) => [name, buildSample(document, field, depth + 1)]))
}
