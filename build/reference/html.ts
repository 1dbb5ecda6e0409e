import { escapeHtml } from '../../lib/kernel/util/escape-html.ts'

/** Markup that is safe to insert into a page. */
export interface Html {
  readonly markup: string
}

/** A part of a template. Texts are escaped. An undefined part and an empty list leave nothing. */
type Part = Html | string | number | undefined | readonly Part[]

/** Builds markup from a template. Inserted texts never become markup, also inside quoted attributes. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: String.raw({ raw: texts }, ...parts.map(renderPart)),
})

const renderPart = (part: Part): string => {
  if (part === undefined) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return isHtml(part) ? part.markup : part.map(renderPart).join('')
}

const isHtml = (part: Html | readonly Part[]): part is Html => !Array.isArray(part)

/** Joins parts with a separator between them. */
export const joinHtml = (parts: readonly Part[], separator: string): Html =>
  html`${parts.map((part, index) => (index === 0 ? part : [separator, part]))}`

interface Heading {
  readonly level: 1 | 2
  /** The ID of the place that the link beside the heading leads to. */
  readonly id: string
  readonly title: string
  readonly titleId?: string
}

/** Renders a heading with a link to its section beside it. The link is no part of the heading. */
export const renderHeading = ({ level, id, title, titleId }: Heading): Html => {
  const tag = { markup: `h${level}` }
  return html`<div class="heading"><${tag}${titleId === undefined ? '' : html` id="${titleId}"`}>${title}</${tag}>${renderAnchor(id, title)}</div>`
}

/** Renders the link beside a heading. */
export const renderAnchor = (id: string, title: string): Html =>
  html`<a class="anchor" href="#${id}" aria-label="Link to ${title}">#</a>`
