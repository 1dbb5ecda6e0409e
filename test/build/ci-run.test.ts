import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import config from '../../vitest.config.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-ci-'))
  cpSync('.ci', join(folder, '.ci'), { recursive: true })
  mkdirSync(join(folder, 'programs'))
  const write = (path: string, lines: readonly string[]) =>
    writeFileSync(join(folder, path), ['#!/usr/bin/env bash', ...lines, ''].join('\n'), { mode: 0o755 })
  // Writes the report of a suite, and fails as the test says.
  write('programs/npm', [
    'failed=0',
    'for given in "$@"; do',
    '  case $given in --outputFile.json=*) report=$(cut -d = -f 2 <<<"$given") && cp "$REPORTS/$(basename "$report")" "$report" ;; esac',
    '  case " $FAILING " in *" $given "*) failed=1 ;; esac',
    'done',
    'exit "$failed"',
  ])
  write('programs/apt-get', [])
  for (const name of ['identical-templates', 'linked-install'])
    write(`.ci/${name}`, [`case " $FAILING " in *" ${name} "*) exit 1 ;; esac`])
})
afterAll(() => rmSync(folder, { recursive: true }))

const suites = ['main', 'clients', 'infra', 'package', 'relying-parties', 'tools', 'deployed', 'browser']
const passing = { numPassedTests: 10, testResults: [{ status: 'passed', assertionResults: [] }] }
const failed = { status: 'failed', fullName: 'refuses a stolen session', failureMessages: ['expected 401'] }
const withFailedTest = {
  numPassedTests: 9,
  testResults: [{ name: 'login.test.ts', status: 'failed', message: '', assertionResults: [failed] }],
}
const withBrokenFile = {
  numPassedTests: 9,
  testResults: [{ name: 'links.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }],
}

interface Plan {
  /** Reports other than those of ten passed tests. Undefined for a suite that writes none. */
  readonly reports?: Readonly<Record<string, object | undefined>>
  /** The scripts of npm and other commands that fail. */
  readonly failing?: string
}

const run = ({ reports = {}, failing = '' }: Plan) => {
  const planted = mkdtempSync(join(folder, 'reports-'))
  for (const [name, report] of Object.entries({
    ...Object.fromEntries(suites.map((suite) => [suite, passing])),
    ...reports,
  }))
    if (report) writeFileSync(join(planted, `${name}.json`), JSON.stringify(report))
  const { status, stdout } = spawnSync(join(folder, '.ci/run'), {
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${join(folder, 'programs')}:${process.env['PATH']}`,
      REPORTS: planted,
      FAILING: failing,
    },
  })
  const lines = stdout.trimEnd().split('\n')
  return { status, last: lines.at(-1), failures: lines.filter((line) => line.startsWith('failed: ')).sort() }
}

it('counts each passed test and each passed check', () => {
  expect(run({})).toEqual({ status: 0, last: 'tests: 86 passed, 0 failed', failures: [] })
})

it('is red and counts one failure if only a check fails', () => {
  expect(run({ failing: 'types' })).toEqual({
    status: 1,
    last: 'tests: 85 passed, 1 failed',
    failures: ['failed: npm run types'],
  })
})

it('counts each failure of a suite once, and one for a suite that fails in another way', () => {
  const plan = {
    reports: {
      main: withFailedTest,
      package: withBrokenFile,
      clients: undefined,
      infra: { numPassedTests: 0, testResults: [] },
    },
    failing: 'test test:package test:clients test:deployed linked-install',
  }
  expect(run(plan)).toEqual({
    status: 1,
    last: 'tests: 63 passed, 6 failed',
    failures: [
      'failed: .ci/linked-install',
      'failed: links.test.ts',
      'failed: login.test.ts: refuses a stolen session',
      'failed: npm run test:clients --: no test ran',
      'failed: npm run test:deployed --: failed after its tests passed',
      'failed: npm run test:infra --: no test ran',
    ],
  })
})

it('is red and ends with the counts if nothing can be installed', () => {
  const failures = ['failed: npm ci']
  expect(run({ failing: 'ci' })).toEqual({ status: 1, last: 'tests: 0 passed, 1 failed', failures })
})

it('starts each project of tests once, and what is also deployed with that suite', () => {
  const listProjects = (command: string) =>
    [...command.matchAll(/--project (\S+)/g)].flatMap(([, name = '']) => name)
  const commands = readFileSync('.ci/run', 'utf8').replaceAll(
    /npm (?:run )?(test[\w:-]*)/g,
    (_, name: string) => `${new Map(Object.entries(packageJson.scripts)).get(name)}`,
  )
  const names = config.test?.projects?.map((project) =>
    typeof project === 'object' && 'test' in project ? project.test?.name : undefined,
  )
  expect([...listProjects(commands), 'also-deployed'].sort()).toEqual(names?.sort())
  expect(names).toEqual(expect.arrayContaining(Object.values(packageJson.scripts).flatMap(listProjects)))
})
