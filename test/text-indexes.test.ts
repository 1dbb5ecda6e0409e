import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sourceFolders } from './support/floors.ts'
import { listTextIndexes } from './support/text-indexes.ts'

const root = process.cwd()
const folder = mkdtempSync(join(tmpdir(), 'latchkey-indexes-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Modules with what each of them should be found for. They are checked like the modules of the project. */
const examples: readonly (readonly [name: string, text: string, found: readonly string[]])[] = [
  ...[
    [
      'a constant of the module',
      'const codes: Readonly<Record<string, string>> = { no: "nb" }',
      'codes[text]',
    ],
    ['a constant that is computed', 'const codes: Record<string, 1> = Object.fromEntries([])', 'codes[text]'],
    ['an imported constant', '', 'imported[text]'],
    [
      'an optional constant',
      'const codes: Record<string, string> | undefined = { no: "nb" }',
      'codes?.[text]',
    ],
    [
      'a constant under another type',
      'const codes = { no: "nb" }',
      '(codes as Record<string, string>)[text]',
    ],
    ['an object literal', '', '({ no: "nb" } as Record<string, string>)[text]'],
    ['a joined text', 'const codes: Record<string, string> = {}', 'codes["x" + text]'],
    ['a text of an unknown type', 'const codes = { no: "nb" }', 'codes[JSON.parse(text)]'],
    ['a name test', 'const codes = { no: "nb" }', 'text in codes'],
  ].map(
    ([name = '', declaration = '', use = '']) =>
      [
        `finds a text as a key of ${name}`,
        `${declaration}\nexport const find = (text: string) => ${use}`,
        [use],
      ] as const,
  ),
  [
    'finds a text as a key of an object literal in a function',
    'export const find = (text: string) => { const codes: Record<string, 1> = { no: 1 }; return codes[text] }',
    ['codes[text]'],
  ],
  [
    'lets a text look up a map',
    'const codes = new Map([["no", "nb"]])\nexport const find = (text: string) => codes.get(text)',
    [],
  ],
  [
    'accepts names that a type lists',
    'const codes = { no: "nb", nn: "nb" }\nexport const find = (name: "no" | "nn") => codes[name]',
    [],
  ],
]

/** Writes the examples as one program. Loading the types of the language takes longer than all checks of them. */
const writeExamples = (): string => {
  const options = { strict: true, noEmit: true, module: 'nodenext', target: 'es2024', types: [] }
  const configFile = join(folder, 'tsconfig.json')
  writeFileSync(configFile, JSON.stringify({ compilerOptions: options }))
  writeFileSync(join(folder, 'table.ts'), 'export const imported: Record<string, string> = { no: "nb" }')
  for (const [at, [, text]] of examples.entries())
    writeFileSync(
      join(folder, `example-${at}.ts`),
      `import { imported } from './table.ts'\n${text}\nexport { imported }`,
    )
  return configFile
}

it('looks up no constant by a text that can be anything in the service, its pages and its commands', () => {
  const folders = new Set<string>(sourceFolders)
  const isChecked = (path: string) => folders.has(relative(root, path).split(/[\\/]/)[0] ?? '')
  // Without the tests, whose imports are several times as many.
  const configFiles = ['test/support/sources.tsconfig.json', 'web/tsconfig.json']
  expect(listTextIndexes(configFiles, isChecked)).toEqual([])
})

describe('the check of texts as keys', () => {
  let found: readonly string[]
  beforeAll(() => {
    found = listTextIndexes([writeExamples()], (path) => path.startsWith(join(folder, 'example-')))
  })

  it.each(examples.map(([name, , expected], at) => ({ name, expected, at })))('$name', ({ expected, at }) => {
    const prefix = `${join(folder, `example-${at}.ts`)}: `
    const own = found.filter((finding) => finding.startsWith(prefix))
    expect(own.map((finding) => finding.slice(prefix.length))).toEqual(expected)
  })
})
