import type { ComponentType } from 'preact'

/** What a section shows for the rest of the address: `['12']` for `#/users/12`. */
export interface SectionProps {
  readonly path: readonly string[]
}

export interface LoadedSection {
  /** Loads the messages of the section. */
  readonly load: () => Promise<void>
  readonly Show: ComponentType<SectionProps>
}
