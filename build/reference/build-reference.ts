import type { ReferenceEntry } from '../../lib/features/pages/reference.models.ts'
import type { Page } from '../../lib/http/page.ts'
import type { Operation } from '../../lib/kernel/contract/operation.ts'
import { describeAccessRules } from '../../lib/open-api/access.ts'
import {
  type ApiDocument,
  findOwnModel,
  type Header,
  listModels,
  listRoutes,
  listTopics,
  type Parameter,
  resolve,
  type Schema,
  type Tag,
} from './document.ts'
import { describeType, listFields, placeFields, renderFields } from './fields.ts'
import { type Html, html, renderHeading } from './html.ts'
import {
  createMarkdown,
  type FindAnchor,
  type Heading,
  listWords,
  type Markdown,
  readStart,
  readText,
} from './markdown.ts'
import { renderOperation } from './operation-section.ts'
import type { ReferenceContext, ReferencePage } from './reference-context.ts'
import { errorAnchorOf, listErrors, renderErrors, renderHeaders } from './shared-sections.ts'

/** The reference in the parts that its pages consist of. */
export interface Reference {
  /** What is around each page, with the comments `<!-- title -->`, `<!-- navigation -->` and `<!-- content -->` in their places. */
  readonly shell: Page
  /** The links to all pages. The group of a page is a `details` element with its name as `data-page`. */
  readonly navigation: string
  /** The pages by the last part of their address. The first page has none. */
  readonly pages: Readonly<Record<string, ReferencePage>>
  readonly index: readonly ReferenceEntry[]
}

/** Renders an OpenAPI document as pages that read without scripts: the guide, a page for each tag, and the data that they share. */
export const buildReference = (
  document: ApiDocument,
  operations: readonly Operation[],
  shell: Page,
): Reference => {
  const markdown = createMarkdown(createFindAnchor(document), document.info.description ?? '')
  const accessRules = new Map(operations.map((operation) => [operation.id, describeAccessRules(operation)]))
  const context = { document, markdown, accessRules }
  const sections: Readonly<Record<string, Section>> = {
    '': { title: 'Documentation', body: renderGuide(markdown) },
    ...Object.fromEntries(
      document.tags.map((tag) => [tag.name, { title: titleOf(tag), body: renderTag(context, tag) }]),
    ),
    errors: { title: 'Error codes and reasons', body: renderErrors(markdown) },
    headers: { title: 'Response headers', body: renderHeaders(context) },
    models: { title: 'Models', body: renderModels(context) },
  }
  const places = findPlaces(sections)
  const toHref = (id: string): string => `${toPath(places.get(id) ?? '')}#${id}`
  const pages = Object.entries(sections).map(([name, { title, body }]) => [
    name,
    { title: html`${title}`.markup, content: linkToPages(body.markup, name, places) },
  ])
  return {
    shell,
    navigation: renderNavigation(document, markdown.guideHeadings, toHref).markup,
    pages: Object.fromEntries(pages),
    index: buildSearchIndex(document, markdown, toHref),
  }
}

interface Section {
  readonly title: string
  readonly body: Html
}

const toPath = (page: string): string => (page === '' ? '/docs' : `/docs/${encodeURIComponent(page)}`)

const titleOf = ({ name, 'x-displayName': title = name }: Tag): string => title

/** Returns the page of each ID, as both are written in markup. */
const findPlaces = (sections: Readonly<Record<string, Section>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(sections).flatMap(([page, { body }]) =>
      [...body.markup.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => [id, page] as const),
    ),
  )

/** Completes links to places on other pages. */
const linkToPages = (markup: string, page: string, places: ReadonlyMap<string, string>): string =>
  markup.replaceAll(/ href="#([^"]+)"/g, (link, id: string) => {
    const target = places.get(id)
    return target === undefined || target === page ? link : ` href="${toPath(target)}#${id}"`
  })

const createFindAnchor = (document: ApiDocument): FindAnchor => {
  const names = new Set([
    ...listRoutes(document).map(({ operation }) => operation.operationId),
    ...Object.keys(document.components.schemas).filter((name) => !/.Problem$/.test(name)),
  ])
  return (name) => (names.has(name) ? name : errorAnchorOf(name))
}

const renderGuide = (markdown: Markdown): Html => html`<h1>Documentation</h1>
<ul class="starts">${starts.map(([address, title, text]) => html`<li><a href="/docs/guides/${address}">${title}</a> ${text}</li>`)}</ul>
<h2>API reference</h2>
<p>Tools and generators of clients read the <a href="/api/2/openapi.json">OpenAPI document</a>, which has the same content.</p>
<section class="guide">${markdown.renderGuide()}</section>`

/** Where readers begin, by what they want. */
const starts = [
  ['getting-started', 'Getting started', 'From the first start to a first sign-in on your machine.'],
  ['frameworks', 'Your framework', 'Express, Next.js, single-page app, Python or CDK, from an empty folder.'],
  ['integrate', 'Integrate', 'Connect your product: sign-in, protected routes, access links.'],
  ['libraries', 'Libraries', 'What to paste for Express, Next.js, single-page apps, Python and others.'],
  ['deploy', 'Deploy', 'Put the service into your AWS account.'],
  ['not-included', 'What Latchkey does not do', 'Read it before you choose.'],
] as const

const renderTag = (context: ReferenceContext, tag: Tag): Html => {
  const id = `tag-${tag.name}`
  const routes = listRoutes(context.document).filter(({ operation }) => operation.tags.includes(tag.name))
  return html`<section class="tag" id="${id}" aria-labelledby="${id}--title">
${renderHeading({ level: 1, id, title: titleOf(tag), titleId: `${id}--title` })}
${context.markdown.render(tag.description, 2)}
${routes.map((route) => renderOperation(context, route))}
</section>`
}

/** Renders all models with their fields and examples. */
const renderModels = ({ document, markdown }: ReferenceContext): Html =>
  html`<section id="models" aria-labelledby="models--title">
${renderHeading({ level: 1, id: 'models', title: 'Models', titleId: 'models--title' })}
${listModels(document).map(([name, schema]) => renderModel(name, schema, markdown))}
</section>`

const renderModel = (name: string, schema: Schema, markdown: Markdown): Html => {
  const fields = listFields(schema)
  const [example] = schema.examples ?? []
  return html`<section class="model" id="${name}" aria-label="Model ${name}">
${renderHeading({ level: 2, id: name, title: name, titleId: `${name}--title` })}
${markdown.render(schema.description)}
${fields.length > 0 ? renderFields(fields, markdown, { idPrefix: `${name}.` }) : html`<p>${describeType(schema)}</p>`}
${
  example === undefined
    ? undefined
    : html`<details><summary>Example of ${name}</summary><pre><code>${JSON.stringify(example, undefined, 2)}</code></pre></details>`
}
</section>`
}

/** Renders the links to all parts: the guide, the operations by tag, the errors and the models. */
const renderNavigation = (
  document: ApiDocument,
  guide: readonly Heading[],
  toHref: (id: string) => string,
): Html => {
  const routes = listRoutes(document)
  const renderLink = (id: string, content: Html): Html =>
    html`<li><a href="${toHref(id)}">${content}</a></li>`
  const renderGroup = (page: string, title: string, links: readonly Html[]): Html =>
    html`<details data-page="${page}"><summary>${title}</summary><ul>${links}</ul></details>`
  const renderTagGroup = (tag: Tag): Html =>
    renderGroup(tag.name, titleOf(tag), [
      renderLink(`tag-${tag.name}`, html`About ${titleOf(tag)}`),
      ...routes
        .filter(({ operation }) => operation.tags.includes(tag.name))
        .map(({ method, operation }) =>
          renderLink(operation.operationId, html`<span class="method">${method}</span> ${operation.summary}`),
        ),
    ])
  const models = listModels(document).map(([name]) => renderLink(name, html`${name}`))
  return html`<h2>API reference</h2>
<ul>${guide.map(({ id, title }) => renderLink(id, html`${title}`))}</ul>
${listTopics(document).map(({ name, tags }) => html`<h2>${name}</h2>${tags.map(renderTagGroup)}`)}
<h2>Data</h2>
<ul>${renderLink('errors', html`Error codes and reasons`)}${renderLink('headers', html`Response headers`)}</ul>
${renderGroup('models', 'Models', models)}`
}

/** Lists what the search finds: the guide, operations, models, parameters, fields, error codes and headers. */
const buildSearchIndex = (
  document: ApiDocument,
  markdown: Markdown,
  toHref: (id: string) => string,
): readonly ReferenceEntry[] => {
  const toFieldEntry =
    (kind: 'Parameter' | 'Field') =>
    (id: string, description: string | undefined): ReferenceEntry => ({
      href: toHref(id),
      kind,
      name: id,
      detail: readStart(description),
    })
  const listFieldEntries = (schema: Schema, prefix: string): readonly ReferenceEntry[] =>
    placeFields(listFields(schema), prefix).map(({ id, field }) =>
      toFieldEntry('Field')(id, field.description),
    )
  const routes = listRoutes(document)
  const namedModels = listModels(document)
  const parameterEntries = routes.flatMap(({ operation: { operationId: id, parameters = [] } }) =>
    parameters
      .map((parameter) => resolve<Parameter>(document, parameter))
      .map((parameter) => toFieldEntry('Parameter')(`${id}.${parameter.name}`, parameter.description)),
  )
  const ownModels = routes.flatMap(({ operation }) => findOwnModel(document, operation) ?? [])
  const fieldEntries = [
    ...ownModels.flatMap(({ name, schema }) => listFieldEntries(schema, `${name}.`)),
    ...namedModels.flatMap(([name, schema]) => listFieldEntries(schema, `${name}.`)),
  ]
  return [
    {
      href: toHref('content'),
      kind: 'Guide',
      name: 'What to use',
      detail: readStart(markdown.guideStart),
      text: listWords(markdown.guideStart),
    },
    ...markdown.guideSections.map(({ id, title, text }) => ({
      href: toHref(id),
      kind: 'Guide' as const,
      name: title,
      detail: readStart(text),
      text: listWords(text),
    })),
    ...document.tags.map(({ name, 'x-displayName': title = name, description }) => ({
      href: toHref(`tag-${name}`),
      kind: 'Topic' as const,
      name: title,
      detail: readStart(description),
      text: listWords(description),
    })),
    ...routes.map(({ method, path, operation: { operationId: id, summary, description } }) => ({
      href: toHref(id),
      kind: 'Operation' as const,
      name: summary,
      detail: `${method} ${path}`,
      text: `${id} ${listWords(description)}`,
    })),
    ...namedModels.map(([name, schema]) => ({
      href: toHref(name),
      kind: 'Model' as const,
      name,
      detail: readStart(schema.description),
    })),
    ...groupByLastName(parameterEntries),
    ...groupByLastName(fieldEntries),
    ...listErrors().map(({ kind, name, meaning }) => ({
      href: toHref(`${kind === 'Reason' ? 'reason' : 'code'}-${name}`),
      kind,
      name,
      detail: readText(meaning),
    })),
    ...Object.entries(document.components.headers ?? {}).map(([name, header]) => ({
      href: toHref(`header-${name}`),
      kind: 'Header' as const,
      name,
      detail: readStart(resolve<Header>(document, header).description),
    })),
  ]
}

/** Puts fields of the same name next to each other. Most of them have the same text, which compression finds only nearby. */
const groupByLastName = (entries: readonly ReferenceEntry[]): readonly ReferenceEntry[] =>
  [...Map.groupBy(entries, ({ name }) => name.split('.').at(-1)).values()].flat()
