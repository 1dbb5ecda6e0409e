import { randomInt } from 'node:crypto'

/** Something chosen by chance, with the bits of chance that were spent on it. */
export interface Chosen {
  readonly text: string
  readonly bits: number
}

/** One of several, each as likely as any other. */
export const oneOf = <T>(choices: readonly T[]): T => {
  const chosen = choices[randomInt(choices.length)]
  if (chosen === undefined) throw new Error('there is nothing to choose from')
  return chosen
}

export const chosenFrom = (characters: readonly string[]): Chosen => ({
  text: oneOf(characters),
  bits: Math.log2(characters.length),
})

/** A copy in an order of which each is as likely as any other (Fisher and Yates). */
export const shuffled = <T>(items: readonly T[]): T[] => {
  const copy = [...items]
  for (let last = copy.length - 1; last > 0; last--) {
    const other = randomInt(last + 1)
    const [a, b] = [copy[last], copy[other]]
    if (a !== undefined && b !== undefined) [copy[last], copy[other]] = [b, a]
  }
  return copy
}
