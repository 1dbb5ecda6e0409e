import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { copyProject } from './carry-out.ts'

/*
 * Adds a kind of connection to a copy of the project, as docs/contributing.md describes it: a folder, and a row in each list of
 * protocols. It fails if a sign-in through it needs a change of the code that all kinds share.
 */

const toy = 'test/docs/toy'
const folder = 'lib/features/connections/toy'
const walk = 'test/connections/toy.test.ts'
const connections = 'lib/features/connections/'

const flowNames = ['startToySignIn', 'receiveToyAnswer', 'returnFromToySignIn']
const connectionNames = ['listToyConnections', 'createToyConnection', 'deleteToyConnection']
const onDemand = (file: string, names: readonly string[]) =>
  `  ...onDemand(() => import('../../${folder}/${file}.use-cases.ts'), ${names.map((name) => `'${name}'`).join(', ')}),\n`

/** The rows: the file, what stands before each, and the row. Imports go to the top. */
const rows: readonly (readonly [file: string, before: string, row: string])[] = [
  ['lib/kernel/contract/connection-kinds.ts', "['saml', 'oidc'", ", 'toy'"],
  [`${connections}protocols.ts`, 'oidc: oidcProtocol', ', toy: toyProtocol'],
  [`${connections}sign-in-protocols.part.ts`, 'oidc: oidcSignIn', ', toy: toySignIn'],
  [`${connections}operations.ts`, '  ...oidcConnections,\n', '  ...toyConnections,\n'],
  [`${connections}flow.operations.ts`, '  ...oidcFlow,\n', '  ...toyFlow,\n'],
  ['functions/connection-flow/index.ts', '    ...invitation,\n', onDemand('sign-in', flowNames)],
  ['functions/connections/index.ts', '  ...providers,\n', onDemand('connections', connectionNames)],
  [
    'lib/open-api/operation-errors.ts',
    "    return_from_oidc_sign_in: { not_authenticated: ['no_cookie'] },\n",
    `    receive_toy_answer: { login_failed: ['no_cookie', 'other_browser', 'used_or_late', 'invalid_answer'] },\n`,
  ],
]

const exportsByFile = new Map([
  [`${connections}protocols.ts`, "import { toyProtocol } from './toy/protocol.ts'\n"],
  [`${connections}sign-in-protocols.part.ts`, "import { toySignIn } from './toy/sign-in.part.ts'\n"],
  [`${connections}operations.ts`, "import { toyConnections } from './toy/operations.ts'\n"],
  [`${connections}flow.operations.ts`, "import { toyFlow } from './toy/flow.operations.ts'\n"],
])

const copy = copyProject([
  'lib/features/connections',
  'functions/connection-flow',
  'functions/connections',
  walk,
])
afterAll(() => copy.remove())

const addRow = ([file, before, row]: (typeof rows)[number]): void => {
  const present = copy.read(file)
  expect(present.split(before), `${file} has one place for a row`).toHaveLength(2)
  copy.write(file, (exportsByFile.get(file) ?? '') + present.replace(before, `${before}${row}`))
}

it('adds a kind of connection by one folder, and a row in each list', async () => {
  const sources = readdirSync(toy).filter((name) => name !== 'walk.ts')
  const place = (name: string, path: string) => {
    const options = new Map([['file', path]])
    copy.apply({ file: toy, line: 0, language: 'ts', options, text: readFileSync(join(toy, name), 'utf8') })
  }
  for (const name of sources) place(name, join(folder, name))
  place('walk.ts', walk)
  const [first, ...others] = rows
  if (first) addRow(first)
  // The types name each list that lacks the new kind.
  const missing = String(await copy.checkTypes().catch((error: unknown) => error))
  expect(missing).toContain(`${connections}protocols.ts`)
  expect(missing).toContain(`${connections}sign-in-protocols.part.ts`)
  for (const row of others) addRow(row)
  expect(copy.listChanges().toSorted()).toEqual(
    [...sources.map((name) => join(folder, name)), walk, ...rows.map(([file]) => file)].sort(),
  )
  await copy.checkTypes()
}, 300_000)

it('walks through the new kind: start, answer, session, and what attackers try', async () => {
  await copy.run('vitest', 'run', '--project', 'unit', walk, 'test/architecture.test.ts')
}, 300_000)
