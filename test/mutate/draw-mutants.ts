import { findMutants, type Mutant } from './find-mutants.ts'

export interface DrawOptions {
  readonly files: readonly string[]
  readonly count: number
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number
  readonly readSource: (file: string) => string
}

/**
 * Draws mutants of different files: first the file, then one of the kinds of change that are possible in it, then the place. So neither
 * long files nor frequent kinds crowd out others. There are fewer if the files do not suffice.
 */
export const drawMutants = ({ files, count, random, readSource }: DrawOptions): readonly Mutant[] => {
  const left = [...files]
  const drawn: Mutant[] = []
  const draw = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)]
  while (drawn.length < count && left.length > 0) {
    const [file = ''] = left.splice(Math.floor(random() * left.length), 1)
    const kinds = [...Map.groupBy(findMutants(file, readSource(file)), ({ kind }) => kind).values()]
    const mutant = draw(draw(kinds) ?? [])
    if (mutant) drawn.push(mutant)
  }
  return drawn
}
