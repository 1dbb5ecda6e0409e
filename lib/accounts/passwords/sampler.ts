import { firstThatFit } from './alphabet.ts'
import { type Chosen, chosenFrom, oneOf } from './chance.ts'
import type { Program, Step } from './program.ts'

/**
 * Makes up texts of a wanted length that a program matches, by walking it at random. Which steps can still come to a
 * match with so many characters left is worked out before, so that no walk ends in a blind alley.
 */
export interface Sampler {
  /** Whether there is a text of this length. */
  readonly canFill: (length: number) => boolean
  /** A text of as many characters as there are wishes; a wish is granted where the program takes the character. */
  readonly fill: (wishes: readonly (Chosen | undefined)[]) => Chosen
}

/** `anywhere`: whether other characters may stand before and after what the program matches. */
export const createSampler = (program: Program, longest: number, anywhere: boolean): Sampler => {
  const { steps, start } = anywhere ? surrounded(program) : program
  const choices = steps.map((step) => (step.kind === 'character' ? firstThatFit(step.accepts) : []))
  const before = predecessors(steps)

  /** The steps from which a match is within reach; `next` is the same for one character less. */
  const reach = (next: Uint8Array | undefined, isStart: boolean): Uint8Array => {
    const open = new Uint8Array(steps.length)
    const isOpenItself = (step: Step, at: number): boolean => {
      if (step.kind === 'match') return next === undefined
      if (step.kind !== 'character') return false
      return next !== undefined && (choices[at]?.length ?? 0) > 0 && next[step.to[0] ?? 0] === 1
    }
    const found = steps.flatMap((step, at) => (isOpenItself(step, at) ? [at] : []))
    for (const at of found) open[at] = 1
    // Goes on to what is added on the way.
    for (const at of found) {
      for (const from of before[at] ?? []) {
        const { kind } = steps[from] ?? {}
        const mayPass =
          kind === 'go' || (kind === 'begin' && isStart) || (kind === 'end' && next === undefined)
        if (mayPass && open[from] === 0) {
          open[from] = 1
          found.push(from)
        }
      }
    }
    return open
  }
  const levels: Uint8Array[] = []
  for (let left = 0; left <= longest; left++) levels.push(reach(levels[left - 1], false))
  const fromStart = (length: number): Uint8Array => reach(levels[length - 1], true)

  return {
    canFill: (length) => length <= longest && fromStart(length)[start] === 1,
    fill: (wishes) => {
      const characters: string[] = []
      const first = fromStart(wishes.length)
      let bits = 0
      let at = start
      for (;;) {
        const left = wishes.length - characters.length
        const step = steps[at]
        if (!step || step.kind === 'match' || step.kind === 'fail') return { text: characters.join(''), bits }
        if (step.kind === 'character') {
          const wish = wishes[characters.length]
          const chosen = wish && step.accepts(wish.text) ? wish : chosenFrom(choices[at] ?? [])
          characters.push(chosen.text)
          bits += chosen.bits
          at = step.to[0] ?? 0
        } else {
          const level = characters.length === 0 ? first : levels[left]
          at = oneOf(step.to.filter((next) => level?.[next] === 1))
        }
      }
    },
  }
}

/** The program with any characters before and after it. */
const surrounded = ({ start, steps }: Program): Program => {
  const accepts = () => true
  const [beforeIt, afterIt] = [steps.length, steps.length + 2]
  return {
    start: beforeIt,
    steps: [
      ...steps.map((step): Step => (step.kind === 'match' ? { kind: 'go', to: [afterIt] } : step)),
      { kind: 'go', to: [beforeIt + 1, start] },
      { kind: 'character', to: [beforeIt], accepts },
      { kind: 'go', to: [afterIt + 1, afterIt + 2] },
      { kind: 'character', to: [afterIt], accepts },
      { kind: 'match' },
    ],
  }
}

const predecessors = (steps: readonly Step[]): readonly (readonly number[])[] => {
  const before: number[][] = steps.map(() => [])
  for (const [at, step] of steps.entries())
    if ('to' in step) for (const next of step.to) before[next]?.push(at)
  return before
}
