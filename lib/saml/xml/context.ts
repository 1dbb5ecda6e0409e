import type { XmlElement } from './element.ts'
import { escapeXml } from './escape.ts'
import type { Scope } from './names.ts'
import { readXml } from './read.ts'

/** An element that stood in another document, and its text as a document of its own. */
export interface InContext {
  readonly element: XmlElement
  readonly text: string
}

/**
 * Reads an element that was taken out of a document as if it still stood there: what it counts on without declaring it,
 * its text declares at its root from then on. What it doesn't use is left out, so that the octets of an element that
 * was signed by itself stay what they were, in inclusive canonicalisation as well.
 *
 * @throws XmlRefused
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
  return { element, text: text.replace(untilRootName, (start) => start + declarations.join('')) }
}

/** Right only in a text that was read, where nothing else can stand in front of the root. */
const untilRootName = /^(?:<\?xml[^>]*>)?(?:\s|<!--[\s\S]*?-->)*<[^\s/>]+/
