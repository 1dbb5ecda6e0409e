import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hash } from 'bcryptjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockDataDir } from '../../local/data-lock.ts'
import { clientOf } from '../support/client.ts'
import { endServices, startService } from '../support/local-service.ts'
import { descendantsOf, survivorsOf } from '../support/processes.ts'
import { type Folder, jsonLines, linesOf, makeFolder, runUsers, signInAs, startUsers } from './command.ts'

let folder: Folder
let dataDir: string
beforeEach(() => {
  folder = makeFolder()
  dataDir = join(folder.path, 'data')
})
afterEach(async () => {
  await endServices()
  folder.remove()
})

const djangoHash = async (password: string): Promise<string> =>
  `bcrypt_sha256$${await hash(createHash('sha256').update(password).digest('hex'), 4)}`

describe('an import in local mode', () => {
  const password = 'an imported password'

  it('adds users that the service has when it starts', async () => {
    const file = folder.file(
      'a.jsonl',
      jsonLines([{ username: 'ada', password_hash: await djangoHash(password) }]),
    )
    const running = startUsers(['import', file], { DATA_DIR: dataDir })
    await new Promise((resolve) => running.process.once('spawn', resolve))
    const newService = expect.stringContaining(`A new service was made in ${dataDir}.`)
    expect(await running.ended).toMatchObject({ code: 0, stderr: newService })
    const service = await startService({ DATA_DIR: dataDir })
    expect(service.stdout()).toMatch(/Admin {3}admin, password \S+/)
    expect((await signInAs({ client: clientOf(service.url) }, 'ada', password)).status).toBe(200)
  })

  it('adds users to a running service, where they can sign in at once', async () => {
    const service = await startService({ DATA_DIR: dataDir })
    const file = folder.file(
      'b.jsonl',
      jsonLines([
        { username: 'bob', password_hash: await djangoHash(password), totp_seed: 'JBSWY3DPEHPK3PXP' },
      ]),
    )
    expect(await runUsers(['import', file], { DATA_DIR: dataDir })).toMatchObject({ code: 0, stderr: '' })
    const client = clientOf(service.url)
    expect((await signInAs({ client }, 'bob', password)).body.reason).toBe('otp_required')
    const out = await runUsers(['export', '--with-secrets'], { DATA_DIR: dataDir })
    expect(linesOf(out.stdout)).toMatchObject([
      { username: 'admin' },
      { username: 'bob', totp_seed: 'JBSWY3DPEHPK3PXP' },
    ])
    expect((await signInAs({ client }, 'bob', `${password}.`)).status).toBe(401)
  })

  it('creates no data folder in a dry run', async () => {
    const file = folder.file('c.jsonl', jsonLines([{ username: 'ada' }]))
    const ended = await runUsers(['import', file, '--dry-run'], { DATA_DIR: dataDir })
    expect(ended).toMatchObject({ code: 0, stdout: '1 user could be imported; nothing was written.\n' })
    expect(existsSync(dataDir)).toBe(false)
  })

  it('refuses a data folder that another command uses', async () => {
    const unlock = await lockDataDir(dataDir)
    const file = folder.file('d.jsonl', jsonLines([{ username: 'ada' }]))
    const ended = await runUsers(['import', file], { DATA_DIR: dataDir })
    unlock()
    expect(ended).toMatchObject({
      code: 2,
      stderr: `Latchkey already uses ${dataDir} (process ${process.pid}). Stop it or set another DATA_DIR.\n`,
    })
  })

  it('ends its database engine when it is killed', async () => {
    const users = Array.from({ length: 1500 }, (_, at) => ({ username: `user-${at}` }))
    const file = folder.file('e.jsonl', jsonLines(users))
    const run = startUsers(['import', file], { DATA_DIR: dataDir })
    while (
      !existsSync(join(dataDir, 'latchkey.db')) &&
      !existsSync(join(dataDir, 'shared-local-instance.db'))
    )
      await new Promise((resolve) => setTimeout(resolve, 20))
    const children = descendantsOf(run.process.pid ?? 0).map(({ pid }) => pid)
    expect(children.length).toBeGreaterThan(0)
    run.process.kill('SIGKILL')
    expect(await survivorsOf(children)).toEqual([])
    expect((await runUsers(['import', file], { DATA_DIR: dataDir })).code).toBe(0)
  })
})

it('imports five thousand users, who sign in with their passwords', { timeout: 120_000 }, async () => {
  const passwords = Array.from({ length: 8 }, () => `the password ${randomUUID()}`)
  const hashes = await Promise.all(passwords.map(djangoHash))
  const users = Array.from({ length: 5_000 }, (_, at) => ({
    username: `user-${at}`,
    email: `user-${at}@example.com`,
    full_name: `User Number ${at}`,
    password_hash: hashes[at % hashes.length],
  }))
  const ended = await runUsers(['import', folder.file('many.jsonl', jsonLines(users))], { DATA_DIR: dataDir })
  process.stdout.write(ended.stdout)
  expect(ended.code).toBe(0)
  expect(ended.stdout).toMatch(/^5,000 users imported/)
  const [made, ...progress] = ended.stderr.trim().split('\n')
  expect(made).toContain(`A new service was made in ${dataDir}.`)
  expect(progress).toHaveLength(1)

  const service = await startService({ DATA_DIR: dataDir, PASSWORD_COST: '6' })
  const client = clientOf(service.url)
  const sample = [0, 2_499, 4_999]
  for (const at of sample) {
    const password = passwords[at % passwords.length] ?? ''
    expect((await signInAs({ client }, `USER-${at}`, `${password}.`)).status).toBe(401)
    expect((await signInAs({ client }, `USER-${at}`, password)).body.user?.full_name).toBe(
      `User Number ${at}`,
    )
  }
  const file = join(folder.path, 'out.jsonl')
  expect((await runUsers(['export', file, '--with-secrets'], { DATA_DIR: dataDir })).code).toBe(0)
  const exported = linesOf(await readFile(file, 'utf8')) as { username: string; password_hash: string }[]
  expect(exported).toHaveLength(5_001)
  const renewed = exported.filter(({ password_hash }) => password_hash.startsWith('bcrypt_sha384$$2b$06$'))
  expect(renewed.map(({ username }) => username).sort()).toEqual(
    ['admin', ...sample.map((at) => `user-${at}`)].sort(),
  )
})
