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

const rulesOf = (names: readonly string[]) =>
  withRule(names.map((name) => `z.refine((ticket) => ${name}.has(ticket))`).join(', '))

it('the build fails if a rule reads a constant of texts, and says what to do', async () => {
  const lines = [
    "const words = docs && new Set(['planted'])",
    "const typedWords: ReadonlySet<string> = docs && new Set(['planted'])",
    "const longWords =\n  docs && new Set(['planted'])",
  ]
  const names = ['words', 'typedWords', 'longWords']
  const message = await bundleWith(lines.join('\n'), rulesOf(names))
  for (const name of names)
    expect(message).toContain(
      `${name} of lib/features/tickets/models.ts is used outside of texts, but functions contain no texts. Its value must not begin with docs &&.`,
    )
})

it('the build fails if a rule reads such a constant through a function and another file', async () => {
  const lines = 'const isTicket = (ticket: string) => ticket in exampleUserDetail'
  const message = await bundleWith(lines, withRule('z.refine(isTicket)'))
  expect(message).toContain(
    'exampleUserDetail of lib/accounts/users/users.models.ts is used outside of texts',
  )
})

it.each([
  "let words = docs && new Set(['planted'])",
  "const { size } = docs && new Set(['planted'])",
  "const words = docs ? new Set(['planted']) : new Set()",
  "const words = (() => { return docs && new Set(['planted']) })()",
])('the build fails on a text that it cannot follow: %s', async (line) => {
  expect(await bundleWith(line)).toContain(
    `lib/features/tickets/models.ts: expected docs && only where the value of a const, an argument or a property begins, and found: ${line}`,
  )
})

it('a rule reads other constants in the bundle, whatever their name', async () => {
  const names = ['example', 'exampleTickets', 'ticketDescription', 'ticketDescriptions']
  const lines = names.map((name) => `const ${name} = new Set(['planted ${name}'])`).join('\n')
  expect(await bundleWith(lines, rulesOf(names))).toBe('bundled')
  for (const name of names) expect(readBundle().join()).toContain(`planted ${name}`)
})

it('leaves out a constant that only texts and other such constants read', async () => {
  const lines = `const words = docs && ['planted']\nconst moreWords = docs && words.map((text) => text)`
  const inText = (text: string) => text.replace("'The terms of a new ticket.", () => "moreWords[0] + '")
  expect(await bundleWith(lines, inText)).toBe('bundled')
  expect(readBundle().join()).not.toContain('planted')
})
