import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { buildApp } from '../../build/pages/build-app.ts'

type BuiltApp = ReturnType<typeof buildApp>

const program = `
import { writeFileSync } from 'node:fs'
import { buildApp } from './build/pages/build-app.ts'
import { readCatalogues } from './build/pages/read-catalogues.ts'
const catalogues = await readCatalogues()
const changed = Object.entries(catalogues).map(([language, parts]) => [language, { ...parts, release: { name: process.argv.at(-1) } }])
writeFileSync('built.json', JSON.stringify(buildApp(Object.fromEntries(changed))))
`

/** Builds the pages of another release, in which each script and all messages differ. Its pages name it as `data-release`. */
export const buildChangedPages = (release: string): BuiltApp => {
  const root = mkdtempSync(join(tmpdir(), 'latchkey-pages-'))
  try {
    for (const part of ['build', 'docs/libraries.md', 'lib', 'web', 'package.json', 'tsconfig.json'])
      cpSync(part, join(root, part), { recursive: true })
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
    const mark = `\ndocument.documentElement.dataset['release'] = '${release}'\n`
    appendFileSync(join(root, 'web/kit/start-path.ts'), mark)
    execFileSync(process.execPath, ['--input-type=module', '-e', program, release], { cwd: root })
    return JSON.parse(readFileSync(join(root, 'built.json'), 'utf8'))
  } finally {
    rmSync(root, { recursive: true })
  }
}
