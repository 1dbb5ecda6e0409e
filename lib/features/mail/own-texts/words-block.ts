import { escapeHtml } from '../../../kernel/util/escape-html.ts'

/** A part of a line, with the values of its variables. */
type Part =
  | { readonly text: string; readonly isStrong?: true }
  | { readonly label: string; readonly url: string }

/** Own words of an email, with the values of their variables. */
export type WordsBlock =
  | { readonly type: 'paragraph' | 'heading'; readonly lines: readonly (readonly Part[])[] }
  | { readonly type: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly Part[])[] }

const toText = (line: readonly Part[]): string =>
  line.map((part) => ('label' in part ? `${part.label} (${part.url})` : part.text)).join('')

export const renderWordsAsText = (block: WordsBlock): string =>
  block.type === 'list'
    ? block.items.map((item, at) => `${block.isOrdered ? `${at + 1}.` : '-'} ${toText(item)}`).join('\n')
    : block.lines.map(toText).join('\n')

const toHtml = (line: readonly Part[]): string =>
  line
    .map((part) => {
      if ('label' in part)
        return `<a href="${escapeHtml(part.url)}" style="color:inherit;text-decoration:underline">${escapeHtml(part.label)}</a>`
      return part.isStrong ? `<strong>${escapeHtml(part.text)}</strong>` : escapeHtml(part.text)
    })
    .join('')

/** `start` is the side on which lines start. */
export const renderWordsAsHtml = (block: WordsBlock, { start }: { readonly start: string }): string => {
  if (block.type === 'list') {
    const tag = block.isOrdered ? 'ol' : 'ul'
    const items = block.items.map((item) => `<li style="margin:0 0 4px">${toHtml(item)}</li>`)
    return `<${tag} style="margin:0 0 16px;padding:0;padding-${start}:24px">\n${items.join('\n')}\n</${tag}>`
  }
  const lines = block.lines.map(toHtml).join('<br>\n')
  return block.type === 'heading'
    ? `<h2 style="margin:0 0 8px;font-size:16px;line-height:24px">${lines}</h2>`
    : `<p style="margin:0 0 16px">${lines}</p>`
}
