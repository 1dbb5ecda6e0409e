import { type ApiDocument, listModels, listRoutes, listTopics, type Route, type Tag } from './document.ts'
import { type Html, html } from './html.ts'
import type { Heading } from './markdown.ts'

/** Renders the links to all parts of the page: the guide, the operations by tag, the errors and the models. */
export const renderNavigation = (document: ApiDocument, guide: readonly Heading[]): Html => {
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
