import { DOMParser } from '@xmldom/xmldom/lib/dom-parser.js'

/** An element of a message that the service sent. */
export interface ReceivedElement {
  readonly namespace: string
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly ReceivedElement[]
  readonly text: string
}

interface Node {
  readonly nodeType: number
  readonly nodeName: string
  readonly nodeValue: string | null
  readonly namespaceURI: string | null
  readonly localName: string | null
  readonly childNodes: ArrayLike<Node>
  readonly attributes?: ArrayLike<Node>
}

/** Parses a message with a library that the service does not use. @throws Error if it is not well-formed. */
export const parseMessage = (xml: string): ReceivedElement => {
  const parser = new DOMParser({
    errorHandler: (level, message) => {
      throw new Error(`${level}: ${message}`)
    },
  })
  const root = parser.parseFromString(xml, 'text/xml').documentElement
  if (!root) throw new Error('the message has no root')
  return elementOf(root as unknown as Node)
}

const elementOf = (node: Node): ReceivedElement => {
  const inner = Array.from(node.childNodes)
  return {
    namespace: node.namespaceURI ?? '',
    name: node.localName ?? '',
    attributes: Object.fromEntries(
      Array.from(node.attributes ?? []).map(({ nodeName, nodeValue }) => [nodeName, nodeValue ?? '']),
    ),
    children: inner.filter(({ nodeType }) => nodeType === 1).map(elementOf),
    text: inner
      .filter(({ nodeType }) => nodeType === 3 || nodeType === 4)
      .map(({ nodeValue }) => nodeValue ?? '')
      .join(''),
  }
}

/** Returns the first child of this name. */
export const child = (parent: ReceivedElement, name: string): ReceivedElement | undefined =>
  parent.children.find((candidate) => candidate.name === name)
