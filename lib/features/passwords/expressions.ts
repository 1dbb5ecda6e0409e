import type { RE2JS } from 're2js'
import { expressionLength } from '../../kernel/limits/password-limits.ts'

/** An RE2 expression. Matching takes linear time for every expression, which excludes back-references and look-around. */
export interface Expression {
  readonly source: string
  /** The maximum number of steps per character. */
  readonly size: number
  /** Whether the expression matches anywhere in the text. */
  readonly test: (text: string) => boolean
  /** Counts non-empty matches, up to `enough`. Returns undefined when that takes more steps than are left. */
  readonly count: (text: string, enough: number, steps: StepBudget) => number | undefined
}

/** A budget of steps that counting uses up. */
export interface StepBudget {
  left: number
}

export type CompiledExpression =
  | { readonly expression: Expression; readonly message?: never }
  | { readonly message: string; readonly expression?: never }

/** Compiles an expression, or returns a message that says what is wrong. Loads the engine on first use. */
export const compileExpression = async (source: string): Promise<CompiledExpression> => {
  if (source.length > expressionLength)
    return { message: `must be at most ${expressionLength} characters long` }
  const { RE2JS, RE2JSException } = await import('re2js')
  try {
    return { expression: createExpression(source, RE2JS.compile(source)) }
  } catch (error) {
    if (error instanceof RE2JSException) return { message: describeError(source, error) }
    throw error
  }
}

const createExpression = (source: string, compiled: RE2JS): Expression => {
  const size = compiled.programSize()
  return {
    source,
    size,
    test: (text) => compiled.test(text),
    count: (text, enough, steps) => {
      const matcher = compiled.matcher(text)
      let found = 0
      for (let from = 0; found < enough; from = matcher.end()) {
        // A search may read up to the end of the text to find a match of one character.
        steps.left -= (text.length - from + 1) * size
        if (steps.left < 0) return undefined
        if (!matcher.find()) break
        if (matcher.end() > matcher.start()) found += 1
      }
      return found
    },
  }
}

const lookAround = /\(\?(<?[=!])/
const backReference = /\\([1-9]|k[<{'])/

/** Explains an error of the engine for readers who know other engines. */
const describeError = (source: string, error: Error): string => {
  if (lookAround.test(source))
    return 'must not use look-around, such as (?=…), because RE2 does not support it'
  if (backReference.test(source))
    return 'must not use back-references, such as \\1, because RE2 does not support them'
  const reason = 'error' in error ? `: ${error.error}` : ''
  return `is not a valid RE2 expression${reason}`
}
