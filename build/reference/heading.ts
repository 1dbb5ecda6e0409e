import { type Html, html } from './html.ts'

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
