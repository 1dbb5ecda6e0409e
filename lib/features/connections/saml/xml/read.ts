import {
  xmlAttributes,
  xmlAttributesPerElement,
  xmlDepth,
  xmlElements,
  xmlInterruptions,
} from '../../../../kernel/limits/saml-limits.ts'
import type { Place, XmlElement } from './element.ts'
import {
  extendScope,
  outermostScope,
  parseQName,
  resolveAttributes,
  resolveNamespace,
  type Scope,
} from './names.ts'
import { XmlError } from './xml-error.ts'

/*
 * Parses untrusted XML in linear time. Rejects document types, which rules out entities and external resources. Also
 * rejects processing instructions, several roots, and documents that are too large, too deep or not well-formed.
 */

const namePart = '[\\p{L}_][\\p{L}\\p{M}\\p{N}_.\\-·]*'
const namePattern = new RegExp(`${namePart}(?::${namePart})?`, 'uy')
const attributePattern = new RegExp(`\\s+(${namePart}(?::${namePart})?)\\s*=\\s*("[^"<]*"|'[^'<]*')`, 'uy')
const tagEndPattern = /\s*(\/?)>/y
const declarationPattern =
  /<\?xml\s+version\s*=\s*(["'])1\.0\1(\s+encoding\s*=\s*(["'])[\w.-]+\3)?(\s+standalone\s*=\s*(["'])(yes|no)\5)?\s*\?>/y

/** An element whose end tag was not read yet. */
interface OpenElement {
  /** Its name as it was written, which the end tag must repeat. */
  readonly tag: string
  readonly element: { readonly children: XmlElement[]; text: string; readonly scope: Scope; place: Place }
}

/**
 * Parses a document and returns its root. For a part of a document, `context` has the declarations around it.
 *
 * @throws XmlError that names the problem and quotes nothing of the text.
 */
export const readXml = (text: string, context: Scope = outermostScope): XmlElement => {
  checkCharacters(text)
  const open: OpenElement[] = []
  let root: XmlElement | undefined
  let elementCount = 0
  let attributeCount = 0
  let interruptions = 0
  let at = matchAt(declarationPattern, text, 0)?.end ?? 0

  /** Adds the text before the next tag to its element. */
  const addText = (end: number): void => {
    const raw = text.slice(at, end)
    const inner = open.at(-1)
    if (!inner && raw.trim() !== '') throw new XmlError('contains text outside of its root element')
    if (raw.includes(']]>')) throw new XmlError('is not well-formed')
    if (inner) inner.element.text += resolveReferences(raw)
  }

  const openElement = (): number => {
    const name = matchAt(namePattern, text, at + 1)
    if (!name) throw new XmlError('is not well-formed')
    const { attributes, end } = readAttributes(text, name.end)
    const tagEnd = matchAt(tagEndPattern, text, end)
    if (!tagEnd) throw new XmlError('is not well-formed')
    if (root && open.length === 0) throw new XmlError('has a second root element')
    elementCount += 1
    attributeCount += attributes.size
    if (elementCount > xmlElements) throw new XmlError(`has more than ${xmlElements} elements`)
    if (attributeCount > xmlAttributes) throw new XmlError(`has more than ${xmlAttributes} attributes`)
    if (open.length >= xmlDepth) throw new XmlError(`is nested more than ${xmlDepth} deep`)
    const parent = open.at(-1)
    const scope = extendScope(parent?.element.scope ?? context, attributes)
    const { prefix, name: local } = parseQName(name.text)
    const element = {
      namespace: resolveNamespace(scope, prefix),
      name: local,
      attributes: resolveAttributes(scope, attributes),
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
    const name = matchAt(namePattern, text, at + 2)
    const tagEnd = name && matchAt(tagEndPattern, text, name.end)
    const closed = open.pop()
    if (!tagEnd || tagEnd.groups[0] === '/' || closed?.tag !== name.text)
      throw new XmlError('is not well-formed')
    closed.element.place = { ...closed.element.place, contentEnd: at, end: tagEnd.end }
    return tagEnd.end
  }

  while (at < text.length) {
    const tag = text.indexOf('<', at)
    addText(tag < 0 ? text.length : tag)
    if (tag < 0) break
    at = tag
    if (text.startsWith('<!', at) && ++interruptions > xmlInterruptions)
      throw new XmlError(`has more than ${xmlInterruptions} comments and similar sections`)
    if (text.startsWith('<!--', at)) at = findCommentEnd(text, at)
    else if (text.startsWith('<![CDATA[', at)) at = addCharacterData(text, at, open.at(-1))
    else if (text.startsWith('<!', at))
      throw new XmlError('contains a document type declaration, which is not allowed')
    else if (text.startsWith('<?', at))
      throw new XmlError('contains a processing instruction, which is not allowed')
    else at = text.startsWith('</', at) ? closeElement() : openElement()
  }
  if (!root || open.length > 0) throw new XmlError(root ? 'ends too early' : 'is not XML')
  return root
}

const readAttributes = (text: string, from: number) => {
  const attributes = new Map<string, string>()
  let end = from
  for (;;) {
    const found = matchAt(attributePattern, text, end)
    if (!found) return { attributes, end }
    const [name = '', quoted = ''] = found.groups
    if (attributes.has(name)) throw new XmlError('contains an attribute twice')
    if (attributes.size >= xmlAttributesPerElement)
      throw new XmlError(`has an element with more than ${xmlAttributesPerElement} attributes`)
    // Line ends and tabs become spaces, unless they are written as character references (XML 1.0 3.3.3).
    attributes.set(name, resolveReferences(quoted.slice(1, -1).replaceAll(/[\n\t]/g, ' ')))
    end = found.end
  }
}

const findCommentEnd = (text: string, start: number): number => {
  const end = text.indexOf('--', start + 4)
  if (end < 0 || text[end + 2] !== '>') throw new XmlError('is not well-formed')
  return end + 3
}

const addCharacterData = (text: string, start: number, inner: OpenElement | undefined): number => {
  const end = text.indexOf(']]>', start)
  if (end < 0 || !inner) throw new XmlError('is not well-formed')
  inner.element.text += text.slice(start + '<![CDATA['.length, end)
  return end + 3
}

/** Matches a sticky expression at exactly this position. */
const matchAt = (expression: RegExp, text: string, at: number) => {
  expression.lastIndex = at
  const found = expression.exec(text)
  return found && { text: found[0], groups: found.slice(1), end: at + found[0].length }
}

const namedCharacters = new Map<string, string>(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
)

/** Rejects characters that XML does not allow in any notation (XML 1.0 2.2). @throws XmlError */
const checkCharacters = (text: string): void => {
  if (/[^\P{Cc}\t\n\r\u007f-\u009f]|[\ufffe\uffff]/u.test(text) || !text.isWellFormed())
    throw new XmlError('contains characters that XML does not allow')
}

/**
 * Resolves the five predefined references and numeric character references in a text.
 *
 * @throws XmlError for all other references, because those are entities.
 */
const resolveReferences = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(
        /&(?:#(\d{1,7});|#x([\dA-Fa-f]{1,6});|(amp|lt|gt|quot|apos);)?/g,
        (...[, decimal, hex, name]) => {
          if (name !== undefined) return namedCharacters.get(name) ?? ''
          const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
          if (Number.isNaN(code)) throw new XmlError('refers to an entity, which is not allowed')
          const character = code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffe'
          checkCharacters(character)
          return character
        },
      )
    : text
