import type { ComponentType } from 'preact'
import type { TestedKind } from './test-result.tsx'

/** What only connections of one kind show. */
export interface KindPages {
  readonly Detail: ComponentType<{ readonly id: number }>
  readonly New: ComponentType
  /** What a person needs to create one, and the label of the link to it. */
  readonly needs: () => string
  readonly action: () => string
  /** The source of an entry. */
  readonly Source: ComponentType<{ readonly text: string }>
  readonly tested: TestedKind
}
