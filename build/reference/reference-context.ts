import type { ApiDocument } from './document.ts'
import type { Markdown } from './markdown.ts'

/** What all parts of the reference are rendered from. */
export interface ReferenceContext {
  readonly document: ApiDocument
  readonly markdown: Markdown
  /** The rules of access of each operation, which also end its description. */
  readonly accessRules: ReadonlyMap<string, string>
}
