import { STATUS_CODES } from 'node:http'
import { describeType } from './describe-type.ts'
import { type Response, type Route, resolve, type Schema } from './document.ts'
import { linkHeader } from './header-section.ts'
import { type Html, html, joinHtml } from './html.ts'
import type { ReferenceContext } from './reference-context.ts'
import { renderSamples } from './sample-list.ts'

/** Renders the responses of an operation by status. Errors name their codes and reasons, which the page explains once. */
export const renderResponses = (context: ReferenceContext, { operation }: Route): Html =>
  html`<h4>Responses</h4>
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
