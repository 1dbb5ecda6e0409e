/*
 * Which path of several a request meets, as API Gateway decides it. Its rules are in the Developer Guide, "Create routes for
 * HTTP APIs": a full match wins over a greedy one. That a literal segment wins over a parameter, that the longest greedy path wins, and
 * that no greedy parameter is empty was observed for `KensioSoftware/yulin` issue 299.
 */

/** The segment of a greedy route, which takes the rest of the path. */
export const greedySegment = '{proxy+}'

export const isGreedy = (path: string): boolean => path.endsWith('+}')

/** Whether a segment of a path is a parameter: `{id}`. */
export const isParameter = (segment: string): boolean => segment.startsWith('{')

/** Whether the values of a path parameter are numbers. */
export const isIdParameter = (name: string): boolean => /^(\w+_)?id$/.test(name)

/** The segments of a pattern after its first slash, without the greedy one. */
const fixedSegments = (path: string): readonly string[] => {
  const segments = path.split('/')
  return isGreedy(path) ? segments.slice(0, -1) : segments
}

/**
 * Sorts full matches before greedy ones, longer patterns first, and literal segments before parameters from the left, so that the
 * first pattern that matches is the best.
 */
export const compareSpecificity = (a: string, b: string): number => {
  if (isGreedy(a) !== isGreedy(b)) return isGreedy(a) ? 1 : -1
  const [one, other] = [fixedSegments(a), fixedSegments(b)]
  if (one.length !== other.length) return other.length - one.length
  const index = one.findIndex((segment, at) => isParameter(segment) !== isParameter(other[at] ?? ''))
  if (index < 0) return 0
  return isParameter(one[index] ?? '') ? 1 : -1
}

type PathParameters = readonly (readonly [name: string, value: string])[]

/** Returns the values of the parameters if a path, split at its slashes, matches the pattern. No parameter is empty. */
export type PatternMatcher = (sent: readonly string[]) => PathParameters | undefined

/** Prepares a pattern that many paths are compared with. */
export const compilePattern = (pattern: string): PatternMatcher => {
  const expected = fixedSegments(pattern)
  const takesRest = isGreedy(pattern)
  const names = expected.map((segment) => (isParameter(segment) ? segment.slice(1, -1) : undefined))
  return (sent) => {
    if (takesRest ? sent.length <= expected.length : sent.length !== expected.length) return undefined
    const parameters: [string, string][] = []
    for (let at = 0; at < expected.length; at++) {
      const [name, value = ''] = [names[at], sent[at]]
      if (name !== undefined && value !== '') parameters.push([name, value])
      else if (expected[at] !== value) return undefined
    }
    if (!takesRest) return parameters
    const rest = sent.slice(expected.length).join('/')
    return rest === '' ? undefined : [...parameters, ['proxy', rest]]
  }
}
