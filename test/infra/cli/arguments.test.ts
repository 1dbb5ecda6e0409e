import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readArguments } from '../../../infra/cli/arguments.ts'
import { type Folder, jsonLines, makeFolder, runUsers } from './command.ts'

let folder: Folder
let users: string
beforeAll(() => {
  folder = makeFolder()
  users = folder.file('users.jsonl', jsonLines([{ username: 'ada' }]))
  folder.file('users.txt', '')
  folder.file('wide.csv', Buffer.from('\u{feff}username\n', 'utf16le'))
  folder.file('there.jsonl', '')
  mkdirSync(join(folder.path, 'folder.jsonl'))
  execFileSync('mkfifo', [join(folder.path, 'pipe.jsonl')])
})
afterAll(() => folder.remove())

it.each([['--help'], ['import', '-h']])('%s %s explains it', async (...args) => {
  const { code, stdout, stderr } = await runUsers(args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('npm run users -- import FILE')
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})

describe('a command that isn’t as --help says is told so', () => {
  it.each([
    [[], 'Say import FILE or export [FILE]; --help tells more.'],
    [['improt', 'x'], 'There is no command "improt".'],
    [['import'], 'import needs a FILE; --help tells more.'],
    [['import', 'a.csv', 'b.csv'], 'import takes one FILE, and 2 were given.'],
    [['import', 'a.csv', '--force'], 'There is no option --force here; --help lists those there are.'],
    [['import', 'a.csv', '--with-secrets'], 'There is no option --with-secrets here'],
    [['export', '--dry-run'], 'There is no option --dry-run here'],
    [['import', 'a.csv', '--table'], '--table needs a value.'],
    [['import', 'a.csv', '--table='], '--table needs a value.'],
    [['import', 'a.csv', '--table', '--dry-run'], '--table needs a value.'],
    [['import', 'a.csv', '--dry-run=no'], '--dry-run takes no value.'],
    [['import', 'a.csv', '--table', 'a', '--table', 'b'], '--table is there more than once.'],
  ])('%j', (args, sentence) => {
    expect(() => readArguments(args, {})).toThrow(sentence)
  })

  it('in one sentence', async () => {
    expect(await runUsers(['improt', 'x'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'There is no command "improt". Say import FILE or export [FILE]; --help tells more.\n',
    })
  })
})

describe('what can’t be done is told in one sentence', () => {
  it.each([
    [['import', 'none.jsonl'], 'There is no file'],
    [['import', 'users.txt'], 'users.txt must end in .jsonl, .ndjson or .csv'],
    [['import', 'folder.jsonl'], 'folder.jsonl is not a file.'],
    [['import', 'pipe.jsonl'], 'pipe.jsonl is not a file.'],
    [['import', 'wide.csv'], 'wide.csv is UTF-16: save it as UTF-8 first.'],
    [['import', 'users.jsonl', '--report', 'users.jsonl'], 'users.jsonl is what is to be read'],
    [['import', 'users.jsonl', '--report', 'no/such/folder'], 'The report can’t be written to'],
    [['import', 'users.jsonl', '--report', 'folder.jsonl'], 'The report can’t be written to'],
    [['export', 'there.jsonl'], 'is there already: name another file.'],
    [['export'], 'There is no data in'],
  ])('%j', async (args, sentence) => {
    const { code, stdout, stderr } = await runUsers(args, {}, folder.path)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence.replace('’', "'"))
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(existsSync(join(folder.path, '.local'))).toBe(false)
  })

  it.each([
    [{ DATA_DIR: ':memory:' }, 'DATA_DIR is :memory:, which only the service itself can reach'],
    [{ DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' }, 'No DynamoDB answers at http://127.0.0.1:1'],
  ])('%j', async (env, sentence) => {
    const { code, stderr } = await runUsers(['import', users], env, folder.path)
    expect(code).toBe(2)
    expect(stderr).toContain(sentence)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it.each([
    ['dry-run', { npm_config_dry_run: 'true' }],
    ['table', { npm_config_table: 'true' }],
  ])('that npm kept --%s for itself', async (option, env) => {
    const { code, stderr } = await runUsers(['import', users], { DATA_DIR: join(folder.path, 'no'), ...env })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `npm took --${option} for itself: write npm run users -- import … --${option}.\n`,
    })
  })
})

describe('a deployed table', () => {
  const aws = { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
  const { DYNAMODB_ENDPOINT = '' } = process.env

  it.each([
    [{ DYNAMODB_ENDPOINT, ...aws }, 'There is no such table in this region of this account'],
    [{ ...aws, DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' }, "The table can't be reached."],
    [{ AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x', AWS_CONFIG_FILE: '/none' }, 'No region is set'],
  ])('that can’t be used is told: %j', async (env, sentence) => {
    const ended = await runUsers(['import', users, '--table', 'no-such-table'], env, folder.path)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(sentence)
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(existsSync(`${users}.refused.jsonl`)).toBe(false)
  })
})
