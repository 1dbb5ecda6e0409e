import { escapeHtml } from '../../lib/util/escape-html.ts'

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
