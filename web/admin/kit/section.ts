/** What a section shows for the rest of the address: `['12']` for `#/users/12`. */
export interface SectionProps {
  readonly path: readonly string[]
}
