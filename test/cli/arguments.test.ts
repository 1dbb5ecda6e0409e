import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { audit, readAuditArguments } from '../../cli/audit/command.ts'
import { config, readConfigArguments } from '../../cli/config/command.ts'
import { leaks, readLeaksArguments } from '../../cli/leaks/command.ts'
import { migrate, readMigrateArguments } from '../../cli/migrate/command.ts'
import { organizations, readOrganizationsArguments } from '../../cli/organizations/command.ts'
import type { CommandRow } from '../../cli/program.ts'
import { readTableArguments, table } from '../../cli/table/command.ts'
import { readUsersArguments, users } from '../../cli/users/command.ts'
import { jsonLines, makeFolder, runMigrate, runUsers } from './command.ts'

const folder = makeFolder()
const usersFile: string = folder.file('users.jsonl', jsonLines([{ username: 'ada' }]))
folder.file('users.txt', '')
folder.file('wide.csv', Buffer.from('\u{feff}username\n', 'utf16le'))
folder.file('there.jsonl', '')
mkdirSync(join(folder.path, 'folder.jsonl'))
execFileSync('mkfifo', [join(folder.path, 'pipe.jsonl')])
afterAll(() => folder.remove())

it.each([['--help'], ['import', '-h']])('prints the help for %s %s', async (...args) => {
  const { code, stdout, stderr } = await runUsers(args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('npm exec --no -- latchkey users ')
  expect(stdout).toContain('import FILE [options]')
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})

it('prints the help for migrate', async () => {
  const { code, stdout, stderr } = await runMigrate(['from-django', '--help'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('npm exec --no -- latchkey migrate from-django FILE [options]\n')
  expect(stdout).toContain('(default: auth.user)')
  expect(stdout).toContain('KMS_KEY_ID')
  expect(stdout).toContain('Exit code: 0 all imported,')
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
})

it.each([
  [config, readConfigArguments],
  [users, readUsersArguments],
  [organizations, readOrganizationsArguments],
  [migrate, readMigrateArguments],
  [audit, readAuditArguments],
  [leaks, readLeaksArguments],
  [table, readTableArguments],
])(
  'the help of each command has all its options and variables, and fits a terminal: group %#',
  ({ commands }, read) => {
    for (const [name, { options = {}, environment = {} }] of Object.entries<CommandRow>(commands)) {
      const help = read([name, '--help'])
      const text = help.name === 'help' ? help.text : ''
      const rows = [...Object.keys(options).map((option) => `  --${option} `), ...Object.keys(environment)]
      expect(rows.filter((row) => !text.includes(row))).toEqual([])
      expect(text.split('\n').filter((line) => line.length > 80)).toEqual([])
    }
  },
)

describe('invalid arguments', () => {
  it.each([
    [[], 'Use from-django, from-keycloak,'],
    [['from-jango', 'x'], 'Unknown command "from-jango". Did you mean from-django?'],
    [['from-django'], 'from-django needs FILE. See --help.'],
    [['from-django', 'a', 'b'], 'from-django takes one FILE, but 2 were given.'],
    [['undo'], 'undo needs --source NAME: the name of the source. See --help.'],
    [['from-keycloak', 'a', '--trust-emails'], 'Unknown option --trust-emails.'],
    [['from-auth0', 'a', '--hashes'], '--hashes needs a value.'],
    [['from-csv', 'a', '--yes=no'], '--yes takes no value.'],
  ])('of migrate are rejected with a reason: %j', (args, sentence) => {
    expect(() => readMigrateArguments(args)).toThrow(sentence)
  })

  it.each([
    [[], 'Use import, export or rescue. See --help.'],
    [['improt', 'x'], 'Unknown command "improt".'],
    [['import'], 'import needs FILE. See --help.'],
    [['import', 'a.csv', 'b.csv'], 'import takes one FILE, but 2 were given.'],
    [['import', 'a.csv', '--force'], 'Unknown option --force. See --help.'],
    [['import', 'a.csv', '--with-secrets'], 'Unknown option --with-secrets.'],
    [['export', '--dry-run'], 'Unknown option --dry-run.'],
    [['import', 'a.csv', '--table'], '--table needs a value.'],
    [['import', 'a.csv', '--table='], '--table needs a value.'],
    [['import', 'a.csv', '--table', '--dry-run'], '--table needs a value.'],
    [['import', 'a.csv', '--dry-run=no'], '--dry-run takes no value.'],
    [['import', 'a.csv', '--dry-run', '--dry-run'], '--dry-run may be given only once.'],
    [['rescue'], 'rescue needs ACCOUNT. See --help.'],
    [['rescue', 'ada', 'bob'], 'rescue takes one ACCOUNT, but 2 were given.'],
    [['rescue', 'ada', '--table', 't'], 'rescue needs --url with --table'],
    [['rescue', 'ada', '--url', 'https://a'], '--url is only for --table.'],
    [['import', 'a.csv', '--raport=b'], 'Unknown option --raport. Did you mean --report?'],
    [['import', 'a.csv', '--table', 'a', '--table', 'b'], '--table may be given only once.'],
  ])('are rejected with a reason: %j', (args, sentence) => {
    expect(() => readUsersArguments(args)).toThrow(sentence)
  })

  it('are reported on stderr with exit code 2', async () => {
    expect(await runUsers(['improt', 'x'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'Unknown command "improt". Did you mean import? Use import, export or rescue. See --help.\n',
    })
  })
})

it('runs in this clone by npm, in the folder of the caller and with its own options', async () => {
  const run = ['exec', '--no', '--', 'latchkey']
  const words = [...run, 'users', 'import', 'none.jsonl', '--dry-run', '--table=a', '--force']
  const ended = await promisify(execFile)('npm', words, { cwd: 'docs' }).catch((error) => error)
  expect(ended).toMatchObject({ code: 2, stderr: 'Unknown option --force. See --help.\n' })
  const found = await promisify(execFile)('npm', words.slice(0, -1), { cwd: 'docs' }).catch((error) => error)
  expect(found).toMatchObject({ code: 2, stderr: expect.stringContaining('docs/none.jsonl does not exist') })
})

describe('a command that cannot run', () => {
  it.each([
    [['import', 'none.jsonl'], 'none.jsonl does not exist.'],
    [['import', 'users.txt'], 'users.txt must end in .jsonl, .ndjson, or .csv.'],
    [['import', 'folder.jsonl'], 'folder.jsonl is not a file.'],
    [['import', 'pipe.jsonl'], 'pipe.jsonl is not a file.'],
    [['import', 'wide.csv'], 'wide.csv is encoded as UTF-16. Save it as UTF-8.'],
    [['import', 'users.jsonl', '--report', 'users.jsonl'], 'users.jsonl is the import file.'],
    [['import', 'users.jsonl', '--report', 'no/such/folder'], 'The report cannot be written to'],
    [['import', 'users.jsonl', '--report', 'folder.jsonl'], 'The report cannot be written to'],
    [['export', 'there.jsonl'], 'already exists. Choose another file.'],
    [['export'], 'There is no data in'],
  ])('explains why on one line: %j', async (args, sentence) => {
    const { code, stdout, stderr } = await runUsers(args, {}, folder.path)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(existsSync(join(folder.path, '.local'))).toBe(false)
  })

  it.each([
    [{ DATA_DIR: ':memory:' }, 'DATA_DIR is :memory:, which only the service can reach.'],
    [{ DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' }, 'No DynamoDB responds at http://127.0.0.1:1'],
  ])('explains which setting prevents it: %j', async (env, sentence) => {
    const { code, stderr } = await runUsers(['import', usersFile], env, folder.path)
    expect(code).toBe(2)
    expect(stderr).toContain(sentence)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('a deployed table that cannot be used', () => {
  const aws = { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
  const { DYNAMODB_ENDPOINT = '' } = process.env

  it.each([
    [{ DYNAMODB_ENDPOINT, ...aws }, 'The table does not exist in this account and region.'],
    [{ ...aws, DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' }, 'The table cannot be reached.'],
    [{ AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x', AWS_CONFIG_FILE: '/none' }, 'No region is set'],
  ])('is reported on one line: %j', async (env, sentence) => {
    const ended = await runUsers(['import', usersFile, '--table', 'no-such-table'], env, folder.path)
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.stderr).toContain(sentence)
    expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(existsSync(`${usersFile}.refused.jsonl`)).toBe(false)
  })
})
