/**
 * The part of the DOM that signature verification uses. The types of the package itself would need the DOM types of
 * browsers.
 */
declare module '@xmldom/xmldom/lib/dom-parser.js' {
  export interface DomNode {
    readonly nodeType: number
    readonly namespaceURI: string | null
    readonly localName: string | null
    readonly parentNode: DomElement | null
    readonly nextSibling: DomNode | null
    readonly firstChild: DomNode | null
    readonly textContent: string | null
  }
  export interface DomAttribute extends DomNode {
    readonly prefix: string | null
    readonly value: string
  }
  export interface DomElement extends DomNode {
    readonly prefix: string | null
    readonly attributes: ArrayLike<DomAttribute>
    readonly getAttribute: (name: string) => string
    readonly removeChild: (child: DomNode) => void
  }
  export interface DomDocument {
    readonly documentElement: DomElement | null
  }
  export class DOMParser {
    constructor(options: {
      readonly errorHandler: (level: string, message: string) => void
      readonly normalizeLineEndings?: (text: string) => string
    })
    parseFromString(text: string, mediaType: string): DomDocument
  }
}
