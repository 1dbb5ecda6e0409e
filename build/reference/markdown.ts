import markdownIt, { type Token } from 'markdown-it'
import { escapeHtml } from '../../lib/kernel/util/escape-html.ts'
import { type Html, html, renderAnchor } from './html.ts'

export type { Token }

/** Returns the anchor of a name that the page explains, such as an operation, a model or an error code. */
export type FindAnchor = (name: string) => string | undefined

export interface Heading {
  readonly id: string
  readonly title: string
}

/** A heading of the guide, and what it says until the next one. */
export interface GuideSection extends Heading {
  readonly text: string
}

export interface Markdown {
  /** Renders a text in CommonMark. Headings start at the given level, 3 by default. */
  readonly render: (text: string | undefined, level?: number) => Html | undefined
  /** Renders the guide, with an ID and a link for each heading. */
  readonly renderGuide: () => Html | undefined
  /** The headings of the guide, of their highest level. */
  readonly guideHeadings: readonly Heading[]
  readonly guideSections: readonly GuideSection[]
  /** What the guide says before its first heading. */
  readonly guideStart: string
  /** Shows a name as code, with a link to its explanation if there is one. */
  readonly linkName: (name: string) => Html
}

/**
 * Creates the renderer of the texts in the document. HTML in a text is shown as it is written. Names in code spans link to
 * their explanation. Links lead to places of the reference or to `https` addresses. `#tickets` is a heading of the guide.
 */
export const createMarkdown = (findAnchor: FindAnchor, guide: string): Markdown => {
  const parser = createParser((name) => {
    const anchor = findAnchor(name)
    return anchor === undefined ? undefined : `#${anchor}`
  })
  const headings = listHeadings(parser.parse(guide, {}))
  const lines = guide.split('\n')
  const { normalizeLink } = parser
  parser.normalizeLink = (url) => {
    const heading = headings.find(({ id }) => url.startsWith('#') && id === `guide-${url.slice(1)}`)
    return heading ? `#${heading.id}` : normalizeLink(url)
  }
  const render = (
    text: string | undefined,
    level: number,
    { hasIds }: { hasIds: boolean },
  ): Html | undefined => {
    if (!text) return undefined
    const tokens = parser.parse(text, {})
    const highest = findHighest(tokens)
    tokens.forEach((token, index) => {
      if (!token.type.startsWith('heading_')) return
      token.tag = `h${Math.min(6, readLevel(token) - highest + level)}`
      if (hasIds && token.type === 'heading_open') token.attrSet('id', toId(readTitle(tokens, index)))
    })
    return { markup: parser.renderer.render(tokens, parser.options, {}) }
  }
  return {
    render: (text, level = 3) => render(text, level, { hasIds: false }),
    renderGuide: () => render(guide, 2, { hasIds: true }),
    guideHeadings: headings.filter(({ level }, _, all) => level === Math.min(...all.map((one) => one.level))),
    guideStart: lines.slice(0, headings[0]?.line).join('\n'),
    guideSections: headings.map(({ id, title, line }, at) => ({
      id,
      title,
      text: lines.slice(line + 1, headings[at + 1]?.line).join('\n'),
    })),
    linkName: (name) => {
      const anchor = findAnchor(name)
      const code = html`<code>${name}</code>`
      return anchor === undefined ? code : html`<a href="#${anchor}">${code}</a>`
    },
  }
}

/**
 * Creates a parser of CommonMark with tables. HTML is shown as it is written. Names in code spans become links to where `findPlace` says
 * that they are explained.
 */
export const createParser = (findPlace: (name: string) => string | undefined) => {
  const parser = markdownIt({ html: false })
  const { rules } = parser.renderer
  parser.validateLink = (url) =>
    /^(#|https:\/\/|\/docs\/guides\/[\w-]+(#|$)|\.\.\/concepts\/[\w-]+\.md(#|$))/.test(url)
  const { normalizeLink } = parser
  // Lists in Markdown files have the same texts, with links between these files.
  parser.normalizeLink = (url) =>
    normalizeLink(url.replace(/^\.\.\/concepts\/([\w-]+)\.md(?=#|$)/, '/docs/guides/$1'))
  rules['code_inline'] = (tokens, index) => {
    const name = tokens[index]?.content ?? ''
    const code = `<code>${escapeHtml(name)}</code>`
    const isInLink = tokens.slice(0, index).reduce((depth, { type }) => depth + linkDepth(type), 0) > 0
    const place = isInLink || isCommonWord(name) ? undefined : findPlace(name)
    return place === undefined ? code : `<a href="${escapeHtml(place)}">${code}</a>`
  }
  // Wide tables scroll within their frame, so that the page does not scroll sideways.
  rules['table_open'] = () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>'
  rules['table_close'] = () => '</table></div>'
  rules['heading_open'] = (tokens, index, options, _, renderer) => {
    const tag = renderer.renderToken(tokens, index, options)
    return readId(tokens[index]) === undefined ? tag : `<div class="heading">${tag}`
  }
  rules['heading_close'] = (tokens, index, options, _, renderer) => {
    const tag = renderer.renderToken(tokens, index, options)
    const id = readId(tokens[index - 2])
    return id === undefined ? tag : `${tag}${renderAnchor(id, readTitle(tokens, index - 2)).markup}</div>`
  }
  return parser
}

/** Some reasons are words such as `status`, which are fields in most texts. */
const isCommonWord = (name: string): boolean => /^[a-z]+$/.test(name) && !signInNames.includes(name)
const signInNames: readonly string[] = ['login', 'logout']

const linkDepth = (type: string): number => (type === 'link_open' ? 1 : type === 'link_close' ? -1 : 0)

/** Lists the headings with the lines that they stand in. */
export const listHeadings = (tokens: readonly Token[]) =>
  tokens.flatMap((token, index) => {
    const title = readTitle(tokens, index)
    if (token.type !== 'heading_open') return []
    return [{ id: toId(title), title, level: readLevel(token), line: token.map?.[0] ?? 0 }]
  })

const findHighest = (tokens: readonly Token[]): number =>
  Math.min(6, ...listHeadings(tokens).map(({ level }) => level))

const readLevel = ({ tag }: Token): number => Number(tag.slice(1))
const readId = (token: Token | undefined): string | undefined => token?.attrGet('id')?.toString()

/** Returns the text of the heading that opens at this place. */
export const readTitle = (tokens: readonly Token[], index: number): string => tokens[index + 1]?.content ?? ''

/** `Errors and reasons` becomes `guide-errors-and-reasons`. */
const toId = (title: string): string =>
  `guide-${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}`

/** Returns a text in CommonMark as people read it, in one line. */
export const readText = (text = ''): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/[`*|#]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Returns the first paragraph of a text in CommonMark, in one line. */
export const readStart = (text = ''): string => readText(text.trim().split('\n\n')[0])

/** The words of a text, each once and without those that others contain. The search asks only whether a section contains them. */
export const listWords = (text = ''): string => {
  const found = readText(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}](?:[\p{L}\p{N}_.-]*)[\p{L}\p{N}]/gu)
  const words = [...new Set(found)].filter((word) => word.length > 2)
  return words.filter((word) => !words.some((other) => other !== word && other.includes(word))).join(' ')
}
