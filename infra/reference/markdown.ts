import markdownIt from 'markdown-it'
import { escapeHtml } from '../../lib/core/escape-html.ts'
import { type Html, html } from './html.ts'

/** Returns the anchor of a name that the page explains, such as an operation, a model or an error code. */
export type FindAnchor = (name: string) => string | undefined

export interface Markdown {
  /** Renders a text in CommonMark. Headings start at the given level, 4 by default. */
  readonly render: (text: string | undefined, options?: RenderOptions) => Html | undefined
  /** Shows a name as code, with a link to its explanation if there is one. */
  readonly linkName: (name: string) => Html
  /** Lists the headings of the highest level in a text, with the IDs that `render` gives them. */
  readonly listHeadings: (text: string, idPrefix: string) => readonly Heading[]
}

export interface Heading {
  readonly id: string
  readonly title: string
}

interface RenderOptions {
  readonly level?: number
  /** Gives each heading an ID that starts with this text. */
  readonly idPrefix?: string
}

/**
 * Creates the renderer of the texts in the document. HTML in a text is shown as it is written. Names in code spans link to
 * their explanation. Links lead to places of the page or to `https` addresses.
 */
export const createMarkdown = (findAnchor: FindAnchor): Markdown => {
  const parser = markdownIt({ html: false })
  parser.validateLink = (url) => /^(#|https:\/\/)/.test(url)
  parser.renderer.rules['code_inline'] = (tokens, index) => {
    const name = tokens[index]?.content ?? ''
    const code = `<code>${escapeHtml(name)}</code>`
    const isInLink = tokens.slice(0, index).reduce((depth, { type }) => depth + linkDepth(type), 0) > 0
    const anchor = isInLink || isCommonWord(name) ? undefined : findAnchor(name)
    return anchor === undefined ? code : `<a href="#${escapeHtml(anchor)}">${code}</a>`
  }
  return {
    render: (text, { level = 4, idPrefix } = {}) => {
      if (!text) return undefined
      const tokens = parser.parse(text, {})
      const highest = Math.min(6, ...readLevels(tokens))
      tokens.forEach((token, index) => {
        if (!token.type.startsWith('heading_')) return
        token.tag = `h${Math.min(6, Number(token.tag.slice(1)) - highest + level)}`
        if (idPrefix !== undefined && token.type === 'heading_open')
          token.attrSet('id', toId(idPrefix, tokens[index + 1]?.content ?? ''))
      })
      return { markup: parser.renderer.render(tokens, parser.options, {}) }
    },
    linkName: (name) => {
      const anchor = findAnchor(name)
      const code = html`<code>${name}</code>`
      return anchor === undefined ? code : html`<a href="#${anchor}">${code}</a>`
    },
    listHeadings: (text, idPrefix) => {
      const tokens = parser.parse(text, {})
      const highest = `h${Math.min(...readLevels(tokens))}`
      return tokens.flatMap(({ type, tag }, index) => {
        const title = tokens[index + 1]?.content ?? ''
        return type === 'heading_open' && tag === highest ? [{ id: toId(idPrefix, title), title }] : []
      })
    },
  }
}

/** Some reasons are words such as `status`, which are fields in most texts. */
const isCommonWord = (name: string): boolean => /^[a-z]+$/.test(name) && !signInNames.includes(name)
const signInNames: readonly string[] = ['login', 'logout']

const linkDepth = (type: string): number => (type === 'link_open' ? 1 : type === 'link_close' ? -1 : 0)

const readLevels = (tokens: readonly { readonly type: string; readonly tag: string }[]): readonly number[] =>
  tokens.filter(({ type }) => type === 'heading_open').map(({ tag }) => Number(tag.slice(1)))

/** `Errors and reasons` becomes `guide-errors-and-reasons`. */
const toId = (prefix: string, title: string): string =>
  `${prefix}${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}`
