import { listFunctions, parse } from './syntax.ts'

/*
 * Probes count which functions of the sources a test file calls. They stand in a copy of the sources, and count in a global, because
 * test files of a worker evaluate the modules anew.
 */

/** The name of the module itself, which counts that it was evaluated. */
export const moduleScope = ''

/** Returns the source with a probe at the start of each function. `numberOf` numbers the functions by their names. */
export const addProbes = (source: string, numberOf: (name: string) => number): string => {
  const countCall = (name: string): string => `globalThis.countCall?.(${numberOf(name)})`
  const insertions = listFunctions(parse(source)).flatMap(({ name, body }) =>
    body.type === 'BlockStatement'
      ? [{ at: body.start + 1, text: `${countCall(name)};` }]
      : [
          { at: body.start, text: `(${countCall(name)}, ` },
          { at: body.end, text: ')' },
        ],
  )
  // Of insertions at one place, the end of an inner function comes before that of the outer one, and all ends are the same.
  const ordered = insertions.toSorted((one, other) => one.at - other.at)
  let probed = ''
  let done = 0
  for (const { at, text } of ordered) {
    probed += source.slice(done, at) + text
    done = at
  }
  return `${probed}${source.slice(done)}\n${countCall(moduleScope)}\n`
}
