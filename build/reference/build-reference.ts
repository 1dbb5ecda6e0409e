import type { Operation } from '../../lib/contract/operation.ts'
import type { Page } from '../../lib/http/page.ts'
import { describeAccessRules } from '../../lib/open-api/access.ts'
import { type ApiDocument, listRoutes, listTopics, type Tag } from './document.ts'
import { findErrorAnchor, renderErrors } from './error-section.ts'
import { renderHeaders } from './header-section.ts'
import { renderHeading } from './heading.ts'
import { type Html, html } from './html.ts'
import { createMarkdown, type FindAnchor } from './markdown.ts'
import { renderModels } from './model-section.ts'
import { renderNavigation } from './navigation.ts'
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
