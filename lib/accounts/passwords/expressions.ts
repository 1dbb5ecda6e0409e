import type { RE2JS } from 're2js'
import { expressionLength } from '../../core/limits.ts'

/** An RE2 expression, which takes a time linear in the text whatever the expression: no back-reference, no look-around. */
export interface Expression {
  readonly source: string
  /** What matching takes at most, in steps a character. */
  readonly size: number
  /** Whether it matches anywhere. */
  readonly test: (text: string) => boolean
  /** Counts matches that aren't empty, up to `enough`; undefined when that would take more steps than there are. */
  readonly count: (text: string, enough: number, steps: Steps) => number | undefined
}

/** Steps that may still be taken, which are used up on the way. */
export interface Steps {
  left: number
}

export type Compiled =
  | { readonly expression: Expression; readonly fault?: never }
  | { readonly fault: string; readonly expression?: never }

/** The expression, or why it isn't one. The engine is loaded with the first one that is compiled. */
export const compileExpression = async (source: string): Promise<Compiled> => {
  if (source.length > expressionLength)
    return { fault: `must be at most ${expressionLength} characters long` }
  const { RE2JS, RE2JSException } = await import('re2js')
  try {
    return { expression: expressionOf(source, RE2JS.compile(source)) }
  } catch (error) {
    if (error instanceof RE2JSException) return { fault: faultOf(source, error) }
    throw error
  }
}

const expressionOf = (source: string, compiled: RE2JS): Expression => {
  const size = compiled.programSize()
  return {
    source,
    size,
    test: (text) => compiled.test(text),
    count: (text, enough, steps) => {
      const matcher = compiled.matcher(text)
      let found = 0
      for (let from = 0; found < enough; from = matcher.end()) {
        // A search may have to go on to the end of the text only to come back with a match of one character.
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

/** What the engine has against it, in words for those who know other engines. */
const faultOf = (source: string, error: Error): string => {
  if (lookAround.test(source)) return 'must not use look-around, such as (?=…): expressions are those of RE2'
  if (backReference.test(source))
    return 'must not use back-references, such as \\1: expressions are those of RE2'
  const reason = 'error' in error ? `: ${error.error}` : ''
  return `is not a valid RE2 expression${reason}`
}
