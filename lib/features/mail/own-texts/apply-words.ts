import type { Block } from '../blocks.ts'
import type { Envelope } from '../email.ts'
import { getHost, getProductName } from '../email.ts'
import type { EmailContent } from '../email-content.ts'
import type { TranslateEmail } from '../translate.ts'
import { asServiceText, type ForeignText, type ServiceText, toOneLine } from '../user-text.ts'
import type { Line, TextBlock } from './markup.ts'
import type { WordsBlock } from './words-block.ts'

/** Longer subjects are cut. */
const subjectCharacters = 250
const previewCharacters = 150

/**
 * Puts own words into an email: they replace its subject and what it says before its link or code. What the service says after that stays:
 * how long the link works, and what to do if somebody else asked for it. So do texts of users, in their frame.
 */
export const applyWords = (envelope: Envelope, t: TranslateEmail, content: EmailContent): EmailContent => {
  const { emailText } = envelope
  const { own, blocks } = content
  if (!emailText || !own || emailText.kind !== own.kind) return content
  const at = blocks.findIndex((block) => typeof block === 'object' && ('button' in block || 'code' in block))
  const action = blocks[at]
  if (!action) return content
  const values = new Map<string, ServiceText>([
    ['product', getProductName(envelope)],
    ['host', getHost(envelope)],
    ...Object.entries<ServiceText | ForeignText>(own.values).map(
      ([name, value]) => [name, typeof value === 'object' ? t('quoted', { text: value }) : value] as const,
    ),
  ])
  const kept = blocks.slice(0, at).filter((block) => typeof block === 'object')
  const shown = emailText.words.blocks.flatMap((block): readonly Block[] =>
    block.type === 'action'
      ? [...kept, nameAction(action, block.label)]
      : [{ words: fillBlock(block, values) }],
  )
  const { subject } = emailText.words
  const filled = subject && asServiceText(toOneLine(fillLine(subject, values), subjectCharacters))
  const [first] = emailText.words.blocks.flatMap((block) => (block.type === 'paragraph' ? [block.lines] : []))
  const preview = first?.map((line) => fillLine(line, values)).join(' ')
  return {
    ...content,
    ...(filled !== null && { subject: filled, heading: filled }),
    preview: preview ? asServiceText(toOneLine(preview, previewCharacters)) : content.preview,
    blocks: [...shown, ...blocks.slice(at + 1)],
  }
}

const nameAction = (action: Block, label: string | undefined): Block =>
  label !== undefined && typeof action === 'object' && 'button' in action
    ? { button: { ...action.button, label: asServiceText(label) } }
    : action

type Values = ReadonlyMap<string, ServiceText>

const fillLine = (line: Line, values: Values): string =>
  line.map((part) => ('variable' in part ? (values.get(part.variable) ?? '') : getText(part))).join('')

const getText = (part: Exclude<Line[number], { readonly variable: string }>): string =>
  'label' in part ? part.label : part.text

const fillBlock = (block: Exclude<TextBlock, { readonly type: 'action' }>, values: Values): WordsBlock => {
  const fill = (line: Line) =>
    line.map((part) => {
      if ('label' in part) return part
      const text = 'variable' in part ? (values.get(part.variable) ?? '') : part.text
      return { text, ...(part.isStrong && { isStrong: part.isStrong }) }
    })
  return block.type === 'list'
    ? { ...block, items: block.items.map(fill) }
    : { ...block, lines: block.lines.map(fill) }
}
