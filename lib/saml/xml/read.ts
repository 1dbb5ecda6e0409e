import {
  xmlAttributes,
  xmlAttributesPerElement,
  xmlDepth,
  xmlElements,
  xmlInterruptions,
} from '../../core/limits.ts'
import type { Place, XmlElement } from './element.ts'
import { XmlRefused } from './faults.ts'
import { extendScope, outermost, parseQName, resolveName, resolveNamespace, type Scope } from './names.ts'
import { checkCharacters, resolveReferences } from './text.ts'

/*
 * Reads XML that a stranger wrote, in time that goes up with its length and nothing else. There is no document type,
 * so no entities and nothing to fetch, no processing instruction, one root, and a bound to how deep and how much.
 * What isn't well-formed is refused, not mended.
 */

const part = '[\\p{L}_][\\p{L}\\p{M}\\p{N}_.\\-·]*'
const nameAt = new RegExp(`${part}(?::${part})?`, 'uy')
const attributeAt = new RegExp(`\\s+(${part}(?::${part})?)\\s*=\\s*("[^"<]*"|'[^'<]*')`, 'uy')
const tagEndAt = /\s*(\/?)>/y
const declarationAt =
  /<\?xml\s+version\s*=\s*(["'])1\.0\1(\s+encoding\s*=\s*(["'])[\w.-]+\3)?(\s+standalone\s*=\s*(["'])(yes|no)\5)?\s*\?>/y

/** An element that is still open. */
interface Open {
  /** As it is written, for its end tag. */
  readonly tag: string
  readonly element: { readonly children: XmlElement[]; text: string; readonly scope: Scope; place: Place }
}

/**
 * The root of a document, or of a piece of one that counts on what is declared around it.
 *
 * @throws XmlRefused saying what is wrong with it, and nothing of what is in it.
 */
export const readXml = (text: string, context: Scope = outermost): XmlElement => {
  checkCharacters(text)
  const open: Open[] = []
  let root: XmlElement | undefined
  let elements = 0
  let attributesInAll = 0
  let interruptions = 0
  let at = match(declarationAt, text, 0)?.end ?? 0

  /** Takes the text up to the next tag. */
  const takeText = (end: number): void => {
    const raw = text.slice(at, end)
    const inner = open.at(-1)
    if (!inner && raw.trim() !== '') throw new XmlRefused('holds text outside of its root element')
    if (raw.includes(']]>')) throw new XmlRefused('is not well-formed')
    if (inner) inner.element.text += resolveReferences(raw)
  }

  const openElement = (): number => {
    const name = match(nameAt, text, at + 1)
    if (!name) throw new XmlRefused('is not well-formed')
    const { attributes, end } = readAttributes(text, name.end)
    const tagEnd = match(tagEndAt, text, end)
    if (!tagEnd) throw new XmlRefused('is not well-formed')
    if (root && open.length === 0) throw new XmlRefused('has a second root element')
    elements += 1
    attributesInAll += attributes.size
    if (elements > xmlElements) throw new XmlRefused(`has more than ${xmlElements} elements`)
    if (attributesInAll > xmlAttributes) throw new XmlRefused(`has more than ${xmlAttributes} attributes`)
    if (open.length >= xmlDepth) throw new XmlRefused(`is nested more than ${xmlDepth} deep`)
    const parent = open.at(-1)
    const scope = extendScope(parent?.element.scope ?? context, attributes)
    const { prefix, name: local } = parseQName(name.text)
    const element = {
      namespace: resolveNamespace(scope, prefix),
      name: local,
      attributes: resolveName(scope, attributes),
      children: [],
      text: '',
      scope,
      place: { start: at, contentStart: tagEnd.end, contentEnd: tagEnd.end, end: tagEnd.end },
    }
    parent?.element.children.push(element)
    root ??= element
    if (tagEnd.groups[0] !== '/') open.push({ tag: name.text, element })
    return tagEnd.end
  }

  const closeElement = (): number => {
    const name = match(nameAt, text, at + 2)
    const tagEnd = name && match(tagEndAt, text, name.end)
    const closed = open.pop()
    if (!tagEnd || tagEnd.groups[0] === '/' || closed?.tag !== name.text)
      throw new XmlRefused('is not well-formed')
    closed.element.place = { ...closed.element.place, contentEnd: at, end: tagEnd.end }
    return tagEnd.end
  }

  while (at < text.length) {
    const tag = text.indexOf('<', at)
    takeText(tag < 0 ? text.length : tag)
    if (tag < 0) break
    at = tag
    if (text.startsWith('<!', at) && ++interruptions > xmlInterruptions)
      throw new XmlRefused(`has more than ${xmlInterruptions} comments and the like`)
    if (text.startsWith('<!--', at)) at = endOfComment(text, at)
    else if (text.startsWith('<![CDATA[', at)) at = takeCharacterData(text, at, open.at(-1))
    else if (text.startsWith('<!', at))
      throw new XmlRefused('holds a document type declaration, which is not read')
    else if (text.startsWith('<?', at))
      throw new XmlRefused('holds a processing instruction, which is not read')
    else at = text.startsWith('</', at) ? closeElement() : openElement()
  }
  if (!root || open.length > 0) throw new XmlRefused(root ? 'ends too early' : 'is not XML')
  return root
}

const readAttributes = (text: string, from: number) => {
  const attributes = new Map<string, string>()
  let end = from
  for (;;) {
    const found = match(attributeAt, text, end)
    if (!found) return { attributes, end }
    const [name = '', quoted = ''] = found.groups
    if (attributes.has(name)) throw new XmlRefused('holds an attribute twice')
    if (attributes.size >= xmlAttributesPerElement)
      throw new XmlRefused(`has an element with more than ${xmlAttributesPerElement} attributes`)
    // Line ends and tabs count as blanks there, unless they are written by their number (XML 1.0 3.3.3).
    attributes.set(name, resolveReferences(quoted.slice(1, -1).replaceAll(/[\n\t]/g, ' ')))
    end = found.end
  }
}

const endOfComment = (text: string, start: number): number => {
  const end = text.indexOf('--', start + 4)
  if (end < 0 || text[end + 2] !== '>') throw new XmlRefused('is not well-formed')
  return end + 3
}

const takeCharacterData = (text: string, start: number, inner: Open | undefined): number => {
  const end = text.indexOf(']]>', start)
  if (end < 0 || !inner) throw new XmlRefused('is not well-formed')
  inner.element.text += text.slice(start + '<![CDATA['.length, end)
  return end + 3
}

/** What an expression finds right at a place of the text. */
const match = (expression: RegExp, text: string, at: number) => {
  expression.lastIndex = at
  const found = expression.exec(text)
  return found && { text: found[0], groups: found.slice(1), end: at + found[0].length }
}
