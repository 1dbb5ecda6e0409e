import { describeType } from './describe-type.ts'
import { type Header, type Reference, resolve } from './document.ts'
import { type Html, html, renderHeading } from './html.ts'
import type { ReferenceContext } from './reference-context.ts'

/** A header of every response, which is explained once instead of at each of them. */
const commonHeader = 'X-Request-Id'

/** Shows the name of a response header with a link to its explanation. Undefined for the header of every response. */
export const linkHeader = (name: string, header: Header | Reference): Html | undefined => {
  if (name === commonHeader) return undefined
  return '$ref' in header
    ? html`<a href="#header-${header.$ref.split('/').at(-1)}"><code>${name}</code></a>`
    : html`<code>${name}</code>`
}

/** Renders the headers that responses share. */
export const renderHeaders = ({ document, markdown }: ReferenceContext): Html => {
  const { headers = {} } = document.components
  return html`<section id="headers" aria-labelledby="headers--title">
${renderHeading({ level: 1, id: 'headers', title: 'Response headers', titleId: 'headers--title' })}
<p>Every response has <code>${commonHeader}</code>. Operations name the others.</p>
<dl class="fields">${Object.entries(headers).map(([name, header]) => {
    const { description, schema, example } = resolve<Header>(document, header)
    return html`<div id="header-${name}"><dt><a href="#header-${name}"><code>${name === 'Redirect' ? 'Location' : name}</code></a> <span class="facts">${
      schema ? describeType(schema) : ''
    }</span></dt><dd>${markdown.render(description)}${
      example === undefined
        ? undefined
        : html`<p class="example">Example: <code>${String(example)}</code></p>`
    }</dd></div>`
  })}</dl>
</section>`
}
