import type { XmlElement } from './element.ts'
import type { Scope } from './names.ts'
import { readXml } from './read.ts'
import { escapeXml } from './text.ts'

/** An element of another document, and its text as a separate document. */
export interface InContext {
  readonly element: XmlElement
  readonly text: string
}

/**
 * Reads an element with the namespace declarations of the document that it was taken from. Declarations that it uses but
 * does not contain are added at its root. Unused ones are not added, because inclusive canonicalization would include
 * them in the octets of an element that was signed separately.
 *
 * @throws XmlError
 */
export const readInContext = (text: string, context: Scope): InContext => {
  const borrowed = new Map<string, string>()
  const find = (prefix: string): string | undefined => {
    const namespace = context.find(prefix)
    if (namespace && prefix !== 'xml') borrowed.set(prefix, namespace)
    return namespace
  }
  const element = readXml(text, { find, size: context.size })
  const declarations = [...borrowed].map(
    ([prefix, namespace]) => ` xmlns${prefix && `:${prefix}`}="${escapeXml(namespace)}"`,
  )
  return { element, text: text.replace(textUntilRootName, (start) => start + declarations.join('')) }
}

/** Only for texts that `readXml` accepted: nothing else can precede their root. */
const textUntilRootName = /^(?:<\?xml[^>]*>)?(?:\s|<!--[\s\S]*?-->)*<[^\s/>]+/
