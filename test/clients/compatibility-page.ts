import { readFileSync } from 'node:fs'

export type Verb = 'works' | 'for browsers' | 'not offered'

/** What the page says about a method. */
export interface Entry {
  /** The names in each client, without their class. */
  readonly npm: string | undefined
  readonly python: string | undefined
  readonly verb: Verb
}

const page = readFileSync('docs/compatibility.md', 'utf8')

const methodRow = /^\| (`[\w.]+`|–) \| (`[\w.]+`|–) \| (Works|For browsers|Not offered)\b[^|]*\.\)? \|$/

const readName = (cell = ''): string | undefined => /(\w+)`$/.exec(cell)?.[1]

/** The rows of the tables of methods. @throws Error for a row in another form. */
export const readEntries = (): readonly Entry[] =>
  page
    .split('\n')
    .filter((line) => /^\| (`\w|–)/.test(line))
    .map((line) => {
      const [, npm, python, verb = ''] = methodRow.exec(line) ?? []
      if (verb === '') throw new Error(`the compatibility page has an unclear row: ${line}`)
      return { npm: readName(npm), python: readName(python), verb: verb.toLowerCase() as Verb }
    })

/** The first parts of the paths that Latchkey does not have. */
export const readOtherAreas = (): readonly string[] => {
  const [, section = ''] = page.split('\n## Everything else\n')
  return [...section.matchAll(/`([\w-]+)`/g)].map(([, area = '']) => area)
}
