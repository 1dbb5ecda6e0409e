import type { ComponentType } from 'preact'
import type { TestedKind } from './test-result.tsx'

/** What only connections of one kind show. */
export interface KindPages {
  readonly Detail: ComponentType<{ readonly id: number }>
  readonly New: ComponentType
  /** Continues with one that is not live yet, if there can be such. */
  readonly Setup?: ComponentType<{ readonly id: number }>
  /** What a person needs to create one, and the label of the link to it. */
  readonly needs: () => string
  readonly action: () => string
  /** The source of an entry. */
  readonly Source: ComponentType<{ readonly text: string }>
  readonly tested: TestedKind
}
