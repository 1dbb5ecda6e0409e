import type { Fault } from '../../core/errors.ts'
import {
  generatedBits,
  generatedLength,
  generatedLengthsTried,
  generatorTriesPerLength,
  policyLength,
} from '../../core/limits.ts'
import type { Services } from '../../services.ts'
import type { UserRecord } from '../../store/records/user-record.ts'
import { alphabets } from './alphabet.ts'
import { type Chosen, chosenFrom, shuffled } from './chance.ts'
import { evaluate } from './evaluate.ts'
import { createPieces } from './pieces.ts'
import type { CheckedPolicy } from './policy.ts'
import type { Program } from './program.ts'
import { createSampler, type Sampler } from './sampler.ts'

export type Generated =
  | { readonly password: string; readonly faults?: never }
  | { readonly faults: readonly Fault[]; readonly password?: never }

/**
 * Makes up passwords that a policy accepts: the characters that its rules ask for at places of chance, the rest plain
 * letters and digits, all of it in the form of its expression. What comes out is held against the policy like any
 * other password.
 */
export const createGenerator = (policy: CheckedPolicy) => {
  const pieces = createPieces(policy.rules)
  const samplers = policy.expression ? samplersOf(policy.expression.program()) : [freely]

  const shortest = Math.max(
    generatedLength,
    policy.minLength ?? 0,
    // What is made by chance counts ten guesses a character, and now and then some less.
    Math.ceil((policy.minEntropyBits ?? 0) / Math.log2(10)) + 2,
    pieces.faults ? 0 : lengthOf(pieces.make()),
  )
  const lengths = Array.from(
    { length: Math.max(0, policyLength - shortest + 1) },
    (_, more) => shortest + more,
  )
    .filter((length) => samplers.some(({ canFill }) => canFill(length)))
    // The shortest, then in steps that double: two letters alone take 60 characters to be hard to guess.
    .filter((_, at) => at === 0 || Number.isInteger(Math.log2(at)))
    .slice(0, generatedLengthsTried)

  const make = (length: number, attempt: number): Chosen => {
    const asked = pieces.make()
    const free = Math.max(0, length - lengthOf(asked))
    const wishes = shuffled([
      ...asked.map(charactersOf),
      ...Array.from({ length: free }, () => [undefined]),
    ]).flat()
    const able = samplers.filter(({ canFill }) => canFill(wishes.length))
    return (able[attempt % able.length] ?? freely).fill(wishes)
  }

  // No look-up: what was made by so much chance is in nobody's list.
  const offline = { ...policy, noPwned: false }
  const quick = { ...offline, minEntropyBits: null }

  /** One password, or why there is none. */
  return async (services: Services, user?: UserRecord): Promise<Generated> => {
    if (pieces.faults) return { faults: pieces.faults }
    if (lengths.length === 0) return { faults: [lengthFault(policy, shortest)] }
    let reasons: readonly string[] = []
    for (const length of lengths)
      for (let attempt = 0; attempt < generatorTriesPerLength; attempt++) {
        const { text, bits } = make(length, attempt)
        reasons = bits < generatedBits ? [tooFew] : await evaluate(services, text, quick, { user })
        if (reasons.length > 0) continue
        reasons = policy.minEntropyBits ? await evaluate(services, text, offline, { user }) : []
        if (reasons.length === 0) return { password: text }
        // To estimate strength takes long, and what lacks it gets it by length.
        break
      }
    return {
      faults: [{ field: 'body', message: `can be met by no generated password: ${reasons.join(' ')}` }],
    }
  }
}

const tooFew = 'It leaves so few passwords that they could be guessed.'

const lengthFault = ({ regex }: CheckedPolicy, shortest: number): Fault => ({
  field: regex === null ? 'rules' : 'regex',
  message:
    shortest > policyLength
      ? `must not ask for more than ${policyLength} characters together`
      : `must allow for a password of some length from ${shortest} to ${policyLength} characters`,
})

const lengthOf = (pieces: readonly Chosen[]): number =>
  pieces.reduce((sum, { text }) => sum + [...text].length, 0)

/** The chance that went into a piece is that of its characters in equal parts. */
const charactersOf = ({ text, bits }: Chosen): Chosen[] =>
  [...text].map((character, _, { length }) => ({ text: character, bits: bits / length }))

/** In no form at all. */
const freely: Sampler = {
  canFill: () => true,
  fill: (wishes) => {
    const [plain = []] = alphabets
    const all = wishes.map((wish) => wish ?? chosenFrom(plain))
    return { text: all.map(({ text }) => text).join(''), bits: all.reduce((sum, { bits }) => sum + bits, 0) }
  },
}

/** An expression that matches a part of a password may match the whole of it as well, and then not any part. */
const samplersOf = (program: Program): readonly Sampler[] =>
  [false, true].map((isPart) => createSampler(program, policyLength, isPart))
