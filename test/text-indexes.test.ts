import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sourceFolders } from './support/floors.ts'
import { listTextIndexes } from './support/text-indexes.ts'

const root = process.cwd()

/** Lists the findings in a module with this text, which is checked like the modules of the project. */
const check = (text: string): readonly string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-indexes-'))
  try {
    writeFileSync(join(folder, 'table.ts'), 'export const imported: Record<string, string> = { no: "nb" }')
    writeFileSync(
      join(folder, 'module.ts'),
      `import { imported } from './table.ts'\n${text}\nexport { imported }`,
    )
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, module: 'nodenext', target: 'es2024', types: [] },
      }),
    )
    const prefix = join(folder, 'module.ts')
    return listTextIndexes([join(folder, 'tsconfig.json')], (path) => path === prefix).map((finding) =>
      finding.slice(prefix.length + 2),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('a text that can be anything', () => {
  it('looks up no constant in the service, its pages and its commands', () => {
    const folders = new Set<string>(sourceFolders)
    const isChecked = (path: string) => folders.has(relative(root, path).split(/[\\/]/)[0] ?? '')
    // Without the tests, whose imports are several times as many.
    const configFiles = ['test/support/sources.tsconfig.json', 'web/tsconfig.json']
    expect(listTextIndexes(configFiles, isChecked)).toEqual([])
  })

  it.each([
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
  ])('is found as a key of %s', (_, declaration, use) => {
    expect(check(`${declaration}\nexport const find = (text: string) => ${use}`)).toEqual([use])
  })

  it('is found as a key of an object literal in a function', () => {
    const text =
      'export const find = (text: string) => { const codes: Record<string, 1> = { no: 1 }; return codes[text] }'
    expect(check(text)).toEqual(['codes[text]'])
  })

  it('may look up a map', () => {
    const text =
      'const codes = new Map([["no", "nb"]])\nexport const find = (text: string) => codes.get(text)'
    expect(check(text)).toEqual([])
  })

  it('is not one of the names that a type lists', () => {
    const text =
      'const codes = { no: "nb", nn: "nb" }\nexport const find = (name: "no" | "nn") => codes[name]'
    expect(check(text)).toEqual([])
  })
})
