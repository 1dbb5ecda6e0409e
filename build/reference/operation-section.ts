import { renderAccess } from './access-section.ts'
import { buildCurl, findExample } from './curl.ts'
import { type Parameter, type Route, resolve } from './document.ts'
import { type Field, renderFields } from './fields.ts'
import { renderHeading } from './heading.ts'
import { type Html, html } from './html.ts'
import type { ReferenceContext } from './reference-context.ts'
import { renderRequestBody } from './request-body.ts'
import { renderResponses } from './response-list.ts'

/** Renders an operation: its route, access, parameters, body, a call with curl, and its responses. */
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
${renderHeading({ level: 3, id, title: summary, titleId: `${id}--title` })}
<p class="route"><span class="method">${method}</span> <code>${path}</code></p>
<p class="facts">Operation <code>${id}</code></p>
${markdown.render(text.trim())}
${renderAccess(operation, markdown.render(rules))}
${renderParameters(context, route)}
${type !== undefined && content ? renderRequestBody(context, type, content) : undefined}
<h4>Call with curl</h4><pre><code>${buildCurl(document, route)}</code></pre>
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
      : html`<h4>${title}</h4>${renderFields(fields, markdown, { idPrefix: `${operation.operationId}.` })}`
  })}`
}

const toField = ({ document }: ReferenceContext, parameter: Parameter): Field => {
  const { name, description, required = false, schema = {} } = parameter
  const given = parameter.example ?? schema.examples?.[0]
  // Calls need a value for each part of the path.
  const example = given ?? (parameter.in === 'path' ? findExample(document, parameter) : undefined)
  return { name, schema, isRequired: required, description, example, place: parameter.in }
}
