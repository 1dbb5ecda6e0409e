import type { RE2JS } from 're2js'

/**
 * A compiled expression as its matcher runs it, for making up texts that it matches. `begin` and `end` hold at the
 * text's ends alone; a boundary of words, which depends on two characters, is taken to hold.
 */
export interface Program {
  readonly start: number
  readonly steps: readonly Step[]
}

export type Step =
  | { readonly kind: 'match' }
  | { readonly kind: 'fail' }
  | { readonly kind: 'go'; readonly to: readonly number[] }
  | { readonly kind: 'begin' | 'end'; readonly to: readonly number[] }
  | {
      readonly kind: 'character'
      readonly to: readonly number[]
      readonly accepts: (text: string) => boolean
    }

/** The instructions of re2js, as its one version that we use numbers them. */
const op = {
  alternatives: 1,
  alternativesThenMatch: 2,
  capture: 3,
  emptyWidth: 4,
  fail: 5,
  match: 6,
  nothing: 7,
  rune: 8,
  oneRune: 9,
  any: 10,
  anyButNewline: 11,
} as const
const beginning = 1 | 4
const ending = 2 | 8

interface Instruction {
  readonly op: number
  readonly out: number
  readonly arg: number
  matchRune(rune: number): boolean
}

export const programOf = (compiled: RE2JS): Program => {
  const { inst, start } = compiled.re2().prog as { inst: readonly Instruction[]; start: number }
  return { start, steps: inst.map(stepOf) }
}

const stepOf = (instruction: Instruction): Step => {
  const { op: code, out, arg } = instruction
  switch (code) {
    case op.match:
      return { kind: 'match' }
    case op.fail:
      return { kind: 'fail' }
    case op.alternatives:
    case op.alternativesThenMatch:
      return { kind: 'go', to: [out, arg] }
    case op.capture:
    case op.nothing:
      return { kind: 'go', to: [out] }
    case op.emptyWidth:
      if (arg & beginning) return { kind: 'begin', to: [out] }
      return { kind: arg & ending ? 'end' : 'go', to: [out] }
    case op.rune:
    case op.oneRune:
      return {
        kind: 'character',
        to: [out],
        accepts: (text) => instruction.matchRune(text.codePointAt(0) ?? -1),
      }
    case op.any:
    case op.anyButNewline:
      return { kind: 'character', to: [out], accepts: () => true }
    default:
      throw new Error(`re2js has an instruction ${code} that is not known here`)
  }
}
