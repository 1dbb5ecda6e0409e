import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sourceFolders } from '../support/floors.ts'

/* Functions contain no constants of texts. A rule that reads one would throw, and only where it is deployed. */

const root = mkdtempSync(join(tmpdir(), 'latchkey-texts-'))
const model = join(root, 'lib/features/tickets/models.ts')
const place = '/** The origin of a server.'
const original = readFileSync('lib/features/tickets/models.ts', 'utf8')
beforeAll(() => {
  for (const part of [...sourceFolders, 'package.json', 'tsconfig.json'])
    cpSync(part, join(root, part), { recursive: true })
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
})
afterAll(() => rmSync(root, { recursive: true }))

/** Adds lines to the models of tickets, and bundles the function that validates them. Returns what the bundler says. */
const bundleWith = async (lines: string, change = (text: string) => text): Promise<string> => {
  writeFileSync(model, change(original.replace(place, () => `${lines}\n\n${place}`)))
  rmSync(join(root, 'out'), { recursive: true, force: true })
  const script = `import { bundleFunctions } from './build/bundle/bundle.ts'
    await bundleFunctions({ outDir: 'out', groups: ['tickets'] })`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
  return run.then(
    () => 'bundled',
    ({ stderr }: { stderr: string }) => stderr,
  )
}
const withRule = (rule: string) => (text: string) =>
  text.replaceAll('ticket: field(nonEmptyText,', () => `ticket: field(nonEmptyText.check(${rule}),`)
const out = join(root, 'out/tickets')
const readBundle = () =>
  readdirSync(out).map((file) => (file.endsWith('.mjs') ? readFileSync(join(out, file), 'utf8') : ''))

/** A rule that reads sets of these names. */
const withSets = (names: readonly string[]) =>
  bundleWith(
    names.map((name) => `const ${name} = new Set(['planted ${name}'])`).join('\n'),
    withRule(names.map((name) => `z.refine((ticket) => ${name}.has(ticket))`).join(', ')),
  )

it('the build fails if a rule reads a constant with the name of a text, and says what to do', async () => {
  const names = ['example', 'exampleTickets', 'ticketDescription', 'ticketDescriptions']
  const message = await withSets(names)
  for (const name of names)
    expect(message).toContain(
      `${name} of lib/features/tickets/models.ts is used outside of texts, but functions contain no constants of texts. Give it a name that does not begin with "example"`,
    )
})

it('the build fails if a rule reads such a constant through a function and another file', async () => {
  const lines = 'const isTicket = (ticket: string) => ticket in exampleUserDetail'
  const message = await bundleWith(lines, withRule('z.refine(isTicket)'))
  expect(message).toContain(
    'exampleUserDetail of lib/features/directory/users.models.ts is used outside of texts',
  )
})

it('a rule reads constants with similar names in the bundle, too', async () => {
  const names = ['anExample', 'descriptionOfTickets', 'ticketDescriptor']
  expect(await withSets(names)).toBe('bundled')
  for (const name of names) expect(readBundle().join()).toContain(`planted ${name}`)
})

it('leaves out a constant that only texts and other such constants read', async () => {
  const lines = `const exampleTickets = ['planted']\nconst moreDescriptions = exampleTickets.map((text) => text)`
  const inText = (text: string) =>
    text.replace("'The terms of a new ticket.", () => "moreDescriptions[0] + '")
  expect(await bundleWith(lines, inText)).toBe('bundled')
  expect(readBundle().join()).not.toContain('planted')
})
