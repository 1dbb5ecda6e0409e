import { domainToASCII } from 'node:url'
import type { FieldError } from '../../../kernel/errors/errors.ts'
import { emailTextBytes } from '../../../kernel/limits/limits.ts'
import { findNearestName } from '../../../kernel/options/nearest-name.ts'
import { type EmailTextKind, type EmailWords, getKind, listVariables } from './kinds.models.ts'

/*
 * Own words of emails have a markup of five signs, and no HTML. So there is nothing to filter: what is no sign is text, and is
 * escaped. The text part and the HTML part are made from the same words.
 */

export type Inline =
  | { readonly text: string; readonly isStrong?: true }
  | { readonly variable: string; readonly isStrong?: true }
  | { readonly label: string; readonly url: string }

export type Line = readonly Inline[]

export type TextBlock =
  | { readonly type: 'paragraph' | 'heading'; readonly lines: readonly Line[] }
  | { readonly type: 'list'; readonly isOrdered: boolean; readonly items: readonly Line[] }
  /** The place of the one-time link or the code. */
  | { readonly type: 'action'; readonly label?: string }

export interface ParsedWords {
  readonly subject: Line | null
  readonly blocks: readonly TextBlock[]
}

/** The domains that links may lead to. */
export interface OwnDomains {
  /** Hosts as they are. */
  readonly hosts: readonly string[]
  /** Domains with everything below them. */
  readonly domains: readonly string[]
}

interface Reading {
  readonly kind: EmailTextKind
  readonly own: OwnDomains
  readonly problems: FieldError[]
  readonly used: Set<string>
  actions: number
}

/** Reads the words of an email. `problems` lists everything that is wrong, with the line and what is allowed. */
export const parseWords = (
  kind: EmailTextKind,
  { subject, body }: EmailWords,
  own: OwnDomains,
): { readonly words: ParsedWords; readonly problems: readonly FieldError[] } => {
  const reading: Reading = { kind, own, problems: [], used: new Set(), actions: 0 }
  const parsedSubject = readSubject(reading, subject)
  const blocks = readBody(reading, body)
  return { words: { subject: parsedSubject, blocks }, problems: reading.problems }
}

/** Characters that control text or are invisible, apart from those that join letters and emoji, and characters without a meaning. */
const unusable =
  /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/u

const subjectCharacters = 150

const readSubject = (reading: Reading, subject: string | null): Line | null => {
  const { hasSubject } = getKind(reading.kind)
  const report = (message: string) => reading.problems.push({ field: 'subject', message })
  if (!hasSubject) {
    if (subject !== null) report('must be null: the subject of this kind begins with the name of the sender')
    return null
  }
  if (subject === null || !/[\p{L}\p{N}]/u.test(subject)) {
    report('is required')
    return null
  }
  if ([...subject].length > subjectCharacters) {
    report(`must have at most ${subjectCharacters} characters`)
    return null
  }
  return readLine({ ...reading, used: new Set() }, subject, { field: 'subject', prefix: '', isPlain: true })
}

const readBody = (reading: Reading, body: string): readonly TextBlock[] => {
  const { problems, kind } = reading
  const report = (message: string) => problems.push({ field: 'body', message })
  if (Buffer.byteLength(body) > emailTextBytes) {
    report(`must have at most ${emailTextBytes / 1024} KiB`)
    return []
  }
  const blocks: TextBlock[] = []
  for (const [at, line] of body.split(/\r\n|\n/).entries()) addLine(reading, blocks, line.trim(), at + 1)
  const { action, required } = getKind(kind)
  if (reading.actions !== 1)
    report(
      action === 'link'
        ? `must have the one-time link exactly once, on a line of its own: [Words of the button]({link})`
        : 'must have the code exactly once, on a line of its own: {code}',
    )
  for (const name of required)
    if (!reading.used.has(name)) report(`must have {${name}}, because readers recognize the email by it`)
  // An empty line ends a block, and shows nothing.
  return blocks.filter((block) => !('lines' in block) || block.lines.length > 0)
}

const buttonLine = /^\[([^[\]]{1,100})\]\(\{link\}\)$/

const addLine = (reading: Reading, blocks: TextBlock[], line: string, number: number): void => {
  const place: Place = { field: 'body', prefix: `line ${number}: `, isPlain: false }
  const { action } = getKind(reading.kind)
  const [, label] = buttonLine.exec(line) ?? []
  if (line === '') blocks.push({ type: 'paragraph', lines: [] })
  else if (action === 'code' && line === '{code}') {
    reading.actions++
    blocks.push({ type: 'action' })
  } else if (action === 'link' && label !== undefined) {
    reading.actions++
    readLine(reading, label, { ...place, isPlain: true, isLabel: true })
    blocks.push({ type: 'action', label: label.trim() })
  } else if (line.startsWith('## '))
    blocks.push({ type: 'heading', lines: [readLine(reading, line.slice(3).trim(), place)] })
  else if (line.startsWith('- ')) addItem(blocks, false, readLine(reading, line.slice(2).trim(), place))
  else if (/^\d{1,2}\. /.test(line))
    addItem(blocks, true, readLine(reading, line.replace(/^\d{1,2}\. /, '').trim(), place))
  else {
    const read = readLine(reading, line, place)
    const last = blocks.at(-1)
    // A paragraph has several lines until an empty one.
    if (last?.type === 'paragraph' && last.lines.length > 0)
      blocks[blocks.length - 1] = { type: 'paragraph', lines: [...last.lines, read] }
    else blocks.push({ type: 'paragraph', lines: [read] })
  }
}

const addItem = (blocks: TextBlock[], isOrdered: boolean, item: Line): void => {
  const last = blocks.at(-1)
  if (last?.type === 'list' && last.isOrdered === isOrdered)
    blocks[blocks.length - 1] = { type: 'list', isOrdered, items: [...last.items, item] }
  else blocks.push({ type: 'list', isOrdered, items: [item] })
}

interface Place {
  readonly field: 'subject' | 'body'
  /** Where the line is. */
  readonly prefix: string
  /** Whether the line has no markup. */
  readonly isPlain: boolean
  /** Whether it is the label of a link, which has no variables. */
  readonly isLabel?: boolean
}

/** A variable, a link or a mark of bold text. The lengths are bounded, so that no line takes long. */
const sign = /\{([^{}]{0,40})\}|\[([^[\]]{0,200})\]\(([^()\s]{0,500})\)|(\*\*)/g

const readLine = (reading: Reading, line: string, place: Place): Line => {
  const { problems, kind, used, own } = reading
  const report = (message: string) => problems.push({ field: place.field, message: place.prefix + message })
  if (unusable.test(line)) report('has a character that is invisible, or that controls or reverses text')
  if (/<[\p{L}/!?]/u.test(line))
    report('has HTML. Use ## for a heading, - or 1. for a list, **bold**, and [label](address)')
  const parts: Inline[] = []
  let isStrong = false
  let end = 0
  const strong = () => (isStrong ? ({ isStrong: true } as const) : {})
  const addText = (text: string) => {
    if (/[{}]/.test(text)) report('has a single brace. Braces are for variables, such as {product}')
    if (!place.isPlain && text.includes(']('))
      report('has a link that cannot be read. Write [label](https://…), without spaces in the address')
    if (text !== '') parts.push({ text, ...strong() })
  }
  for (const match of line.matchAll(sign)) {
    const [whole, variable, label, address] = match
    if (place.isPlain && variable === undefined) continue
    addText(line.slice(end, match.index))
    end = match.index + whole.length
    if (variable !== undefined) {
      const problem = checkVariable(kind, variable, place)
      if (problem === undefined) {
        used.add(variable)
        parts.push({ variable, ...strong() })
      } else report(problem)
    } else if (label !== undefined && address !== undefined) {
      const problem = checkLink(label, address, own)
      if (problem === undefined) parts.push({ label, url: new URL(address).href })
      else report(problem)
    } else isStrong = !isStrong
  }
  addText(line.slice(end))
  if (isStrong) report('begins bold text and does not end it: write **bold**')
  if (place.isLabel && !/[\p{L}\p{N}]/u.test(line)) report('needs a label with letters or digits')
  const foreign = findForeignDomain(flatten(parts), own)
  if (foreign !== undefined)
    report(
      `has what looks like an address: “${foreign}”. Email programs make links of these. Allowed are ${describeDomains(own)}`,
    )
  return parts
}

const checkVariable = (kind: EmailTextKind, name: string, { isLabel }: Place): string | undefined => {
  if (isLabel) return 'has a variable in a label. A label is the same in all emails'
  if (listVariables(kind).includes(name)) return undefined
  if (name === 'link') return 'has {link} inside a line. It stands alone: [Words of the button]({link})'
  if (name === 'code') return 'has {code} inside a line. It stands alone'
  const allowed = listVariables(kind).map((one) => `{${one}}`)
  const meant = findNearestName(name, listVariables(kind))
  const hint = meant === undefined ? '' : `. Did you mean {${meant}}?`
  return `has the unknown variable {${name}}. Emails of this kind have ${allowed.join(', ')}${hint}`
}

const checkLink = (label: string, address: string, own: OwnDomains): string | undefined => {
  if (address === '{link}') return 'has the one-time link inside a line. It stands alone'
  if (!/[\p{L}\p{N}]/u.test(label)) return 'has a link without a label that can be seen'
  if (/[{}]|\*\*/.test(label)) return 'has a variable or markup in a label. A label is the same in all emails'
  const url = /[\p{C}\\{}]/u.test(address) ? null : URL.parse(address)
  const isSafe = url?.protocol === 'https:' && url.username === '' && url.password === '' && url.port === ''
  if (!url || !isSafe) return 'has a link that is not allowed: addresses begin with https://'
  return isOwn(url.hostname, own)
    ? undefined
    : `has a link to “${url.hostname}”. Allowed are ${describeDomains(own)}`
}

/** Whether a host is one's own. */
export const isOwn = (host: string, { hosts, domains }: OwnDomains): boolean =>
  hosts.includes(host) || domains.some((domain) => host === domain || host.endsWith(`.${domain}`))

const describeDomains = ({ hosts, domains }: OwnDomains): string =>
  [...hosts, ...domains.map((domain) => `${domain} with its subdomains`)].join(', ')

/** A line as email programs read it. A variable can be any word. */
const flatten = (parts: Line): string =>
  parts
    .map((part) => {
      if ('text' in part) return part.text
      return 'label' in part ? part.label : 'xx'
    })
    .join('')

/** Finds the first text that an email program would take for an address of another domain. */
const findForeignDomain = (line: string, own: OwnDomains): string | undefined => {
  for (const word of line.split(/\s+/u)) {
    if (word.includes('://') && !/^\P{L}*https:\/\//iu.test(word)) return word.slice(0, 100)
    for (const token of word.normalize('NFKC').split(/[^\p{L}\p{M}\p{N}._-]+/u)) {
      const labels = token.split('.').filter((label) => label !== '')
      if (looksLikeDomain(labels) && !isOwn(domainToASCII(labels.join('.')), own)) return token.slice(0, 100)
    }
  }
  return undefined
}

const looksLikeDomain = (labels: readonly string[]): boolean => {
  const isNetworkAddress = labels.length === 4 && labels.every((label) => /^\d{1,3}$/.test(label))
  return isNetworkAddress || labels.slice(1).some((label) => /^\p{L}[\p{L}\p{M}\p{N}_-]/u.test(label))
}
