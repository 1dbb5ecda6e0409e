import { checks } from '../../lib/features/connections/saml/assertion/checks.ts'
import { problemKinds } from '../../lib/http/problem.ts'
import { reasons } from '../../lib/kernel/errors/reasons.ts'
import { type Header, type Reference, resolve } from './document.ts'
import { describeType } from './fields.ts'
import { type Html, html, joinHtml, renderHeading } from './html.ts'
import type { FindAnchor, Markdown } from './markdown.ts'
import type { ReferenceContext } from './reference-context.ts'

/** Returns the anchor of an error code or a reason. */
export const errorAnchorOf: FindAnchor = (name) => {
  if (Object.hasOwn(problemKinds, name)) return `code-${name}`
  return meanings.has(name) ? `reason-${name}` : undefined
}

interface Meaning {
  readonly codes: readonly string[]
  readonly meaning: string
}

/** Some checks of SAML responses have the name of another reason. */
const meanings = new Map<string, readonly Meaning[]>(
  [...new Set([...reasons.keys(), ...checks.map(({ name }) => name)])].map((reason) => [
    reason,
    [
      ...[reasons.get(reason) ?? []].flat(),
      ...checks
        .filter(({ name }) => name === reason)
        .map(({ statement }) => ({
          codes: ['login_failed'],
          meaning: `This check of a SAML response failed: ${statement}`,
        })),
    ],
  ]),
)

const describeReason = (list: readonly Meaning[]): string =>
  list.map(({ meaning }) => removeLinks(meaning)).join('\n\n')

/** What the search finds: the codes and the reasons, each with its meaning. */
export const listErrors = (): readonly {
  readonly kind: 'Error code' | 'Reason'
  readonly name: string
  readonly meaning: string
}[] => [
  ...Object.entries(problemKinds).map(([name, { detail }]) => ({
    kind: 'Error code' as const,
    name,
    meaning: detail,
  })),
  ...[...meanings].map(([name, list]) => ({ kind: 'Reason' as const, name, meaning: describeReason(list) })),
]

/** Renders all error codes and reasons with their meaning. */
export const renderErrors = (markdown: Markdown): Html =>
  html`<section id="errors" aria-labelledby="errors--title">
${renderHeading({ level: 1, id: 'errors', title: 'Error codes and reasons', titleId: 'errors--title' })}
<p>An error has a problem body (RFC 9457). Branch on its <code>code</code> and <code>reason</code>, which are stable.</p>
<h2>Codes</h2>
<dl class="fields">${Object.entries(problemKinds).map(
    ([code, { status, detail }]) =>
      html`<div id="code-${code}"><dt><a href="#code-${code}"><code>${code}</code></a> <span class="facts">status ${status}</span></dt><dd>${markdown.render(detail)}</dd></div>`,
  )}</dl>
<h2>Reasons</h2>
<dl class="fields">${[...meanings].map(([reason, list]) => renderReason(markdown, reason, list))}</dl>
</section>`

const renderReason = (markdown: Markdown, reason: string, list: readonly Meaning[]): Html => {
  const codes = [...new Set(list.flatMap((one) => one.codes))]
  return html`<div id="reason-${reason}"><dt><a href="#reason-${reason}"><code>${reason}</code></a> <span class="facts">with ${joinHtml(
    codes.map(markdown.linkName),
    ', ',
  )}</span></dt><dd>${markdown.render(describeReason(list))}</dd></div>`
}

/** The links lead to files of the documentation, which the reference does not have. */
const removeLinks = (text: string): string => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')

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
