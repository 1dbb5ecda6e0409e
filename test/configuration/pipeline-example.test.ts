import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readConfigArguments } from '../../cli/config/command.ts'
import { environmentOf, makeFolder, startCommand } from '../cli/command.ts'
import { closeAfterTests } from '../support/close-after-tests.ts'
import { deployerEnvironment, startFunctionUrl } from '../support/config-function.ts'
import { useService } from '../support/use-service.ts'

/* The workflow of examples/pipeline: its commands exist, and its scripts read the exit codes as the command gives them. */

interface Job {
  readonly needs?: string
  readonly if?: string
  readonly environment: string
  readonly env: Readonly<Record<string, string>>
  readonly steps: readonly { readonly id?: string; readonly run?: string }[]
}

const workflow = parse(readFileSync('examples/pipeline/configuration.yml', 'utf8'))
const jobs: Readonly<Record<string, Job>> = workflow.jobs
const file = 'examples/pipeline/latchkey.config.mjs'
/** An expression of the workflow. */
const matrixStage = `$${'{{ matrix.stage }}'}`
const folder = makeFolder()
afterAll(() => folder.remove())
const service = await useService()
const functionUrl = closeAfterTests(await startFunctionUrl(service))

const scriptOf = (job: string): string =>
  jobs[job]?.steps.map(({ run }) => run ?? '').find((run) => run.includes('npm exec --no -- latchkey')) ?? ''

/** Runs the script of a job as the workflow does, with a command that ends with this code. */
const runScript = async (job: string, code: number) => {
  const npm = join(folder.path, 'npm')
  writeFileSync(npm, `#!/bin/sh\necho "+ client web (gives rights)"\nexit ${code}\n`)
  chmodSync(npm, 0o755)
  const outputs = {
    GITHUB_STEP_SUMMARY: join(folder.path, 'summary'),
    GITHUB_OUTPUT: join(folder.path, 'output'),
  }
  for (const path of Object.values(outputs)) writeFileSync(path, '')
  const child = spawn('bash', ['--norc', '-e', '-o', 'pipefail', '-c', scriptOf(job)], {
    cwd: folder.path,
    env: {
      ...outputs,
      PATH: `${folder.path}:${process.env['PATH']}`,
      STAGE: 'prod',
      CONFIG_URL: functionUrl.url,
    },
    stdio: 'ignore',
  })
  const [exit] = await once(child, 'exit')
  const [summary, output] = Object.values(outputs).map((path) => readFileSync(path, 'utf8'))
  return { exit, summary, output }
}

describe('the workflow', () => {
  it('has commands and options that exist', () => {
    const commands = Object.keys(jobs).map(
      (job) => /npm exec --no -- latchkey config (.*?)(?: >| \|\||\n|$)/.exec(scriptOf(job))?.[1],
    )
    expect(commands).toHaveLength(4)
    for (const command of commands) {
      const words = (command ?? '').replaceAll('"', '').split(' ')
      expect(readConfigArguments(words).name).toBe(words[0])
    }
  })

  it('applies after a plan, to dev before prod, and rights only after a review', () => {
    expect(
      Object.entries(jobs).map(([name, job]) => [name, job.needs, job.environment, job.env['STAGE']]),
    ).toEqual([
      ['plan', undefined, `plan-${matrixStage}`, matrixStage],
      ['dev', undefined, 'dev', 'dev'],
      ['prod', 'dev', 'prod', 'prod'],
      ['rights', 'prod', 'rights', 'prod'],
    ])
    expect(scriptOf('plan')).not.toContain('config apply')
    expect(scriptOf('prod')).toContain('--refuse-rights')
    expect(jobs['rights']?.if).toBe("needs.prod.outputs.rights == 'true'")
    expect(jobs['plan']?.if).toContain('head.repo.full_name == github.repository')
  })

  it.each([
    ['plan', 0, 0, ''],
    ['plan', 2, 0, ''],
    ['plan', 1, 1, ''],
    ['prod', 0, 0, ''],
    ['prod', 1, 1, ''],
    ['prod', 3, 0, 'rights=true\n'],
  ] as const)('%s reads the exit code %i', async (job, code, exit, output) => {
    const result = await runScript(job, code)
    expect(result).toMatchObject({ exit, output })
    if (job === 'plan') expect(result.summary).toContain('(gives rights)')
  })
})

describe('the file', () => {
  const run = (stage: string, ...args: readonly string[]) =>
    startCommand('config', args, { ...environmentOf(), ...deployerEnvironment, STAGE: stage }).ended
  const runOn = (...args: readonly string[]) => run('prod', ...args, '--function', functionUrl.url)

  it('is valid for both stages, and for no other', async () => {
    for (const stage of ['dev', 'prod']) expect(await run(stage, 'validate', file)).toMatchObject({ code: 0 })
    for (const stage of ['test', '__proto__', 'constructor'])
      expect(await run(stage, 'validate', file)).toMatchObject({ code: 1 })
  })

  it('is refused while it gives rights, and applied without a question once it gives none', async () => {
    expect(await runOn('diff', file)).toMatchObject({ code: 2 })
    expect(await runOn('diff', file, '--refuse-rights')).toMatchObject({ code: 3 })
    const refused = await runOn('apply', file, '--yes', '--refuse-rights')
    expect(refused).toMatchObject({
      code: 3,
      stderr: 'Nothing was changed, because the plan gives rights or makes a policy weaker.\n',
    })
    expect(refused.stdout).toContain('(gives rights)')
    expect(await runOn('diff', file)).toMatchObject({ code: 2 })
    expect(await runOn('apply', file, '--yes')).toMatchObject({ code: 0 })
    expect(await runOn('diff', file, '--refuse-rights')).toMatchObject({ code: 0 })
    const text = readFileSync(file, 'utf8').replace("name: 'Film library',", "name: 'Films',")
    const renamed = folder.file('renamed.config.mjs', text)
    expect(await runOn('diff', renamed, '--refuse-rights')).toMatchObject({ code: 2 })
    expect(await runOn('apply', resolve(renamed), '--yes', '--refuse-rights')).toMatchObject({ code: 0 })
  })
})
