/**
 * As much of the DOM as is used to find a signature. The package's own types would bring the whole library of browsers
 * into the project.
 */
declare module '@xmldom/xmldom/lib/dom-parser.js' {
  export interface DomNode {
    readonly nodeType: number
    readonly namespaceURI: string | null
    readonly localName: string | null
    readonly parentNode: DomElement | null
    readonly nextSibling: DomNode | null
    readonly firstChild: DomNode | null
  }
  export interface DomElement extends DomNode {
    readonly getAttribute: (name: string) => string
  }
  export interface DomDocument {
    readonly documentElement: DomElement | null
  }
  export class DOMParser {
    constructor(options: { readonly errorHandler: (level: string, message: string) => void })
    parseFromString(text: string, mediaType: string): DomDocument
  }
}
