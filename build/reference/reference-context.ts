import type { ApiDocument } from './document.ts'
import type { Markdown } from './markdown.ts'

/** What all parts of the reference are rendered from. */
export interface ReferenceContext {
  readonly document: ApiDocument
  readonly markdown: Markdown
  /** The rules of access of each operation, which also end its description. */
  readonly accessRules: ReadonlyMap<string, string>
}

/** A page of the reference, as markup. */
export interface ReferencePage {
  readonly title: string
  readonly content: string
  /** The group of the navigation that it belongs to. By default, the group has the name of the page. */
  readonly group?: string
}
