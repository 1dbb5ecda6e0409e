import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'

/* The build reads in our sources which messages and sections they load. Otherwise a page would ask for them late, or never. */

const root = mkdtempSync(join(tmpdir(), 'latchkey-sources-'))
beforeAll(() => {
  for (const part of ['build', 'docs', 'lib', 'web', 'package.json', 'tsconfig.json'])
    cpSync(part, join(root, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
})
afterAll(() => rmSync(root, { recursive: true }))

const program = `
import { buildApp } from './build/pages/build-app.ts'
import { readCatalogues } from './build/pages/read-catalogues.ts'
buildApp(await readCatalogues())
`

/** Builds the pages with a source that is spelled in another way. Returns what the build says. */
const buildWith = async (path: string, text: string, other: string): Promise<string> => {
  const original = readFileSync(path, 'utf8')
  expect(original).toContain(text)
  writeFileSync(
    join(root, path),
    original.replace(text, () => other),
  )
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { cwd: root })
    return 'built'
  } catch (error) {
    return String(error)
  } finally {
    writeFileSync(join(root, path), original)
  }
}

const section = 'web/admin/groups/section.tsx'
const groups = "messagesOf('groups')"

it.each([
  ['a part in a constant', "const part = 'groups'\nconst t = messagesOf(part)"],
  ['other quotes', 'const t = messagesOf("groups")'],
  ['a part that does not exist', "const t = messagesOf('group')"],
  ['another name', "const words = messagesOf\nconst t = words('groups')"],
])('the build of pages fails on messages by %s, and says what it expects', async (_, other) => {
  expect(await buildWith(section, `const t = ${groups}`, other)).toContain(
    `${section}: expected messagesOf('…') with a part of the catalogues, which the page then loads, and found: messagesOf`,
  )
})

it('the build of pages fails on a section whose name it cannot read, and says what it expects', async () => {
  const other = await buildWith('web/admin/sections.ts', "name: 'groups',", 'name: `groups`,')
  expect(other).toContain(
    "web/admin/sections.ts: expected an entry that begins with name: '…', and imports ./groups/section.tsx as the others do.",
  )
  expect(await buildWith('web/admin/sections.ts', "name: 'groups',", "name: 'groups',")).toBe('built')
})
