import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { findUserIdByUsername } from '../../../lib/accounts/users/find-users.records.ts'
import { useService } from '../../support/use-service.ts'
import { environmentOf, makeFolder, runMigrate, startCommand } from '../command.ts'
import { createMigration, exportOf } from './run-migration.ts'

const service = await useService()
const folder = makeFolder()
afterAll(() => folder.remove())

const countIn = (stdout: string, pattern: RegExp): number => Number(pattern.exec(stdout)?.[1] ?? 0)

it('resumes after a kill and imports each user once', async () => {
  const total = 700
  const Users = Array.from({ length: total }, (_, at) => ({ Username: `killed-${at}`, Enabled: true }))
  const file = folder.file('killed.json', JSON.stringify({ Users }))
  const args = ['from-cognito', file, '--yes', '--table', service.tableName]
  const first = startCommand('migrate', args, environmentOf())
  while ((await findUserIdByUsername(service.services.table, 'killed-50')) === undefined) await sleep(5)
  first.process.kill('SIGKILL')
  await first.ended

  const second = await runMigrate(args, environmentOf())
  expect(second.code).toBe(0)
  const imported = countIn(second.stdout, /^(\d+) users? imported/m)
  const known = [...second.stdout.matchAll(/^(\d+) users? had been imported before/gm)].at(-1)
  expect(imported + Number(known?.[1])).toBe(total)
  expect(Number(known?.[1])).toBeGreaterThan(0)
  const third = await runMigrate(args, environmentOf())
  expect(third.stdout).toContain(`0 users imported.\n${total} users had been imported before.`)
})

it('creates each group once when two commands run at the same time', async () => {
  const { run } = createMigration(service, folder)
  const both = await Promise.all(
    [1, 2].map((at) =>
      run('from-django', exportOf('django.json'), '--yes', '--report', join(folder.path, `${at}`)),
    ),
  )
  expect(both.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
  ])
  expect(both.reduce((sum, { stdout }) => sum + countIn(stdout, /^(\d+) users? imported/m), 0)).toBe(7)
})

it('works on local mode, which a preview does not create', async () => {
  const DATA_DIR = join(folder.path, 'data')
  const args = ['from-django', exportOf('django.json'), '--report', join(folder.path, 'local')]
  const preview = await runMigrate(args, { DATA_DIR })
  expect(preview).toMatchObject({ code: 0, stderr: '' })
  expect(existsSync(DATA_DIR)).toBe(false)
  const done = await runMigrate([...args, '--yes'], { DATA_DIR })
  expect(done.stdout).toContain('7 users imported')
  expect((await runMigrate(args, { DATA_DIR })).stdout).toContain(
    '0 users could be imported; nothing was written.\n7 users had been imported before.\n',
  )
})
