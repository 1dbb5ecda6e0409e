import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Folder, jsonLines, makeFolder, startCommand } from './command.ts'

/*
 * A command in the wrong folder finds no service there, and makes one. It says where, because the service that a person meant knows nothing
 * of what it did.
 */

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

type Arguments = readonly [script: 'users' | 'config' | 'migrate' | 'organizations', ...string[]]

const run = ([script, ...args]: Arguments) => startCommand(script, args, {}, folder.path).ended
const sentence = () =>
  `A new service was made in ${join(folder.path, '.local')}. If you meant another one, run the command in its folder, or set DATA_DIR.\n`

const users = (file: string): Arguments => ['users', 'import', file]
const writing: readonly (readonly [
  command: string,
  file: string,
  content: string,
  (file: string) => Arguments,
])[] = [
  ['users import', 'given.jsonl', jsonLines([{ username: 'ada' }]), users],
  [
    'config apply',
    'given.yaml',
    'schema_version: 1\nowner: shop\ngroups: { a: { name: a } }\n',
    (file) => ['config', 'apply', file, '--yes'],
  ],
  [
    'migrate',
    'given.csv',
    'username,email\nada,ada@example.com\n',
    (file) => ['migrate', 'from-csv', file, '--yes'],
  ],
  [
    'organizations import',
    'given.jsonl',
    jsonLines([{ name: 'Acme', slug: 'acme', external_id: '1' }]),
    (file) => ['organizations', 'import', file],
  ],
]

describe.each(writing)('%s', (_, name, content, build) => {
  it('says once in which folder it made a new service', async () => {
    const file = folder.file(name, content)
    const first = await run(build(file))
    expect(first.stderr).toContain(sentence())
    expect(existsSync(join(folder.path, '.local'))).toBe(true)
    const second = await run(build(file))
    expect(second.stderr).not.toContain('A new service')
  })
})

it.each<[Arguments[0], ...string[]]>([
  ['users', 'import', 'given.jsonl', '--dry-run'],
  ['users', 'export', '--with-secrets'],
  ['config', 'diff', 'given.yaml'],
])('%s %s makes no service, and says nothing about one', async (...args) => {
  folder.file('given.jsonl', jsonLines([{ username: 'ada' }]))
  folder.file('given.yaml', 'schema_version: 1\nowner: shop\n')
  expect((await run(args)).stderr).not.toContain('A new service')
  expect(existsSync(join(folder.path, '.local'))).toBe(false)
})
