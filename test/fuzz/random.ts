/** Choices that are the same in every run with the same seed. */
export interface Random {
  /** A whole number below `count`. */
  readonly below: (count: number) => number
  readonly pick: <Value>(values: readonly [Value, ...Value[]]) => Value
  readonly chance: (probability: number) => boolean
}

/** Creates a generator (mulberry32) that needs no state besides one number of 32 bits. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number): number => Math.floor(next() * count)
  return {
    below,
    pick: (values) => values[below(values.length)] ?? values[0],
    chance: (probability) => next() < probability,
  }
}
