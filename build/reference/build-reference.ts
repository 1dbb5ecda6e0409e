import type { Operation } from '../../lib/contract/operation.ts'
import { reasons } from '../../lib/errors/reasons.ts'
import type { Page } from '../../lib/http/page.ts'
import { problemKinds } from '../../lib/http/problem.ts'
import { describeAccessRules } from '../../lib/open-api/access.ts'
import { steps } from '../../lib/saml/assertion/steps.ts'
import { describeType } from './describe-type.ts'
import {
  type ApiDocument,
  listModels,
  listRoutes,
  listTopics,
  type Route,
  type Schema,
  type Tag,
} from './document.ts'
import { listFields, renderFields } from './fields.ts'
import { renderHeaders } from './header-section.ts'
import { renderHeading } from './heading.ts'
import { type Html, html, joinHtml } from './html.ts'
import { createMarkdown, type FindAnchor, type Heading, type Markdown } from './markdown.ts'
import { renderOperation } from './operation-section.ts'
import type { ReferenceContext } from './reference-context.ts'

/**
 * Renders the API reference: an OpenAPI document as a page that reads without scripts. The shell is the page around it,
 * with the comments `<!-- navigation -->` and `<!-- content -->` in their places.
 */
export const buildReference = (
  document: ApiDocument,
  operations: readonly Operation[],
  shell: Page,
): Page => {
  const markdown = createMarkdown(createFindAnchor(document), document.info.description ?? '')
  const accessRules = new Map(operations.map((operation) => [operation.id, describeAccessRules(operation)]))
  const context = { document, markdown, accessRules }
  const navigation = renderNavigation(document, markdown.guideHeadings)
  const content = html`<section class="guide">${markdown.renderGuide()}</section>
${listTopics(document).map(({ tags }) => tags.map((tag) => renderTag(context, tag)))}
${renderErrors(markdown)}
${renderHeaders(context)}
${renderModels(context)}`
  return { ...shell, html: insert(insert(shell.html, 'navigation', navigation), 'content', content) }
}

const createFindAnchor = (document: ApiDocument): FindAnchor => {
  const names = new Set([
    ...listRoutes(document).map(({ operation }) => operation.operationId),
    ...Object.keys(document.components.schemas).filter((name) => !/.Problem$/.test(name)),
  ])
  return (name) => (names.has(name) ? name : findErrorAnchor(name))
}

const renderTag = (context: ReferenceContext, tag: Tag): Html => {
  const { name, description, 'x-displayName': title = name } = tag
  const id = `tag-${name}`
  const routes = listRoutes(context.document).filter(({ operation }) => operation.tags.includes(name))
  return html`<section class="tag" id="${id}" aria-labelledby="${id}--title">
${renderHeading({ level: 2, id, title, titleId: `${id}--title` })}
${context.markdown.render(description, 3)}
${routes.map((route) => renderOperation(context, route))}
</section>`
}

const insert = (page: string, place: string, part: Html): string =>
  page.replace(`<!-- ${place} -->`, () => part.markup)

/** Renders all models with their fields and examples. */
const renderModels = ({ document, markdown }: ReferenceContext): Html =>
  html`<section id="models" aria-labelledby="models--title">
${renderHeading({ level: 2, id: 'models', title: 'Models', titleId: 'models--title' })}
${listModels(document).map(([name, schema]) => renderModel(name, schema, markdown))}
</section>`

const renderModel = (name: string, schema: Schema, markdown: Markdown): Html => {
  const fields = listFields(schema)
  const [example] = schema.examples ?? []
  return html`<section class="model" id="${name}" aria-label="Model ${name}">
${renderHeading({ level: 3, id: name, title: name, titleId: `${name}--title` })}
${markdown.render(schema.description)}
${fields.length > 0 ? renderFields(fields, markdown, { idPrefix: `${name}.` }) : html`<p>${describeType(schema)}</p>`}
${
  example === undefined
    ? undefined
    : html`<details><summary>Example of ${name}</summary><pre><code>${JSON.stringify(example, undefined, 2)}</code></pre></details>`
}
</section>`
}

/** Renders the links to all parts of the page: the guide, the operations by tag, the errors and the models. */
const renderNavigation = (document: ApiDocument, guide: readonly Heading[]): Html => {
  const routes = listRoutes(document)
  return html`<ul>${guide.map(({ id, title }) => renderLink(id, html`${title}`))}</ul>
${listTopics(document).map(
  ({ name, tags }) => html`<h2>${name}</h2>${tags.map((tag) => renderTagGroup(tag, routes))}`,
)}
<h2>Data</h2>
<ul>${renderLink('errors', html`Error codes and reasons`)}${renderLink('headers', html`Response headers`)}</ul>
${renderGroup(
  'Models',
  listModels(document).map(([name]) => renderLink(name, html`${name}`)),
)}`
}

const renderTagGroup = ({ name, 'x-displayName': title = name }: Tag, routes: readonly Route[]): Html =>
  renderGroup(title, [
    renderLink(`tag-${name}`, html`About ${title}`),
    ...routes
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, operation }) =>
        renderLink(operation.operationId, html`<span class="method">${method}</span> ${operation.summary}`),
      ),
  ])

const renderGroup = (title: string, links: readonly Html[]): Html =>
  html`<details><summary>${title}</summary><ul>${links}</ul></details>`

const renderLink = (id: string, content: Html): Html => html`<li><a href="#${id}">${content}</a></li>`

/** Returns the anchor of an error code or a reason. */
const findErrorAnchor: FindAnchor = (name) => {
  if (Object.hasOwn(problemKinds, name)) return `code-${name}`
  return meanings.has(name) ? `reason-${name}` : undefined
}

interface Meaning {
  readonly codes: readonly string[]
  readonly meaning: string
}

/** Some checks of SAML responses have the name of another reason. */
const meanings = new Map<string, readonly Meaning[]>(
  [...new Set([...reasons.keys(), ...steps.map(({ name }) => name)])].map((reason) => [
    reason,
    [
      ...[reasons.get(reason) ?? []].flat(),
      ...steps
        .filter(({ name }) => name === reason)
        .map(({ statement }) => ({
          codes: ['login_failed'],
          meaning: `This check of a SAML response failed: ${statement}`,
        })),
    ],
  ]),
)

/** Renders all error codes and reasons with their meaning. */
const renderErrors = (markdown: Markdown): Html =>
  html`<section id="errors" aria-labelledby="errors--title">
${renderHeading({ level: 2, id: 'errors', title: 'Error codes and reasons', titleId: 'errors--title' })}
<p>An error has a problem body (RFC 9457). Branch on its <code>code</code> and <code>reason</code>, which are stable.</p>
<h3>Codes</h3>
<dl class="fields">${Object.entries(problemKinds).map(
    ([code, { status, detail }]) =>
      html`<div id="code-${code}"><dt><a href="#code-${code}"><code>${code}</code></a> <span class="facts">status ${status}</span></dt><dd>${markdown.render(detail)}</dd></div>`,
  )}</dl>
<h3>Reasons</h3>
<dl class="fields">${[...meanings].map(([reason, list]) => renderReason(markdown, reason, list))}</dl>
</section>`

const renderReason = (markdown: Markdown, reason: string, list: readonly Meaning[]): Html => {
  const codes = [...new Set(list.flatMap((one) => one.codes))]
  const text = list.map(({ meaning }) => removeLinks(meaning)).join('\n\n')
  return html`<div id="reason-${reason}"><dt><a href="#reason-${reason}"><code>${reason}</code></a> <span class="facts">with ${joinHtml(
    codes.map(markdown.linkName),
    ', ',
  )}</span></dt><dd>${markdown.render(text)}</dd></div>`
}

/** The links lead to files of the documentation, which the page does not have. */
const removeLinks = (text: string): string => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
