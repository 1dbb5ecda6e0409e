import { afterAll, expect, it } from 'vitest'
import { readHooks } from '../../lib/kernel/settings/hooks.ts'
import { startHooks } from '../../local/hooks.ts'
import { type LocalService, startLocalService } from '../../local/start-local-service.ts'
import { makeFolder } from '../cli/command.ts'
import { compileCacheSetting } from '../support/shared-folder.ts'

/* A developer writes the functions of a product as modules, and local mode asks them. */

// A service that a program starts has its environment, and this one has settings of other tests.
const ownEnvironment = process.env
const { PATH = '' } = ownEnvironment
process.env = { PATH, ...compileCacheSetting(), PASSWORD_COST: '4', BREACH_ENDPOINT: '' }

const folder = makeFolder()
const started: LocalService[] = []
afterAll(async () => {
  await Promise.all(started.map(({ stop }) => stop()))
  folder.remove()
  process.env = ownEnvironment
})

const adminPassword = 'violin harbor mustard tent'
const password = 'ada likes silent films'
const writeConfig = (hooks: object): string =>
  folder.file(
    'hooks.config.json',
    JSON.stringify({ schema_version: 1, owner: 'films', seed: { users: { ada: { password } } }, hooks }),
  )
const start = async (hooks: object): Promise<LocalService> => {
  const service = await startLocalService({ adminPassword, port: 0, config: writeConfig(hooks) })
  started.push(service)
  return service
}
const signIn = async ({ url }: LocalService) => {
  const answer = await fetch(`${url}/api/2/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'ada', password }),
  })
  const { reason, refusal } = JSON.parse(await answer.text())
  return [answer.status, reason, refusal]
}

it('asks the module of the configuration file, in its present form', async () => {
  const write = (body: string) =>
    folder.file('after-sign-in.mjs', `export const handler = async (event) => ${body}`)
  write(`({ decision: 'refuse', message: 'Not today, ' + event.user.username + '.' })`)
  const service = await start({ after_sign_in: { module: './after-sign-in.mjs', timeout_ms: 5000 } })
  expect(await signIn(service)).toEqual([403, 'sign_in_refused', 'Not today, ada.'])
  write(`({ decision: 'continue' })`)
  expect(await signIn(service)).toEqual([200, undefined, undefined])
  write(`{ throw new Error('no database') }`)
  expect(await signIn(service)).toEqual([503, 'hook_failed', undefined])
  write(`process.exit(1)`)
  expect(await signIn(service)).toEqual([503, 'hook_failed', undefined])
  write(`({ decision: 'continue' })`)
  expect(await signIn(service)).toEqual([200, undefined, undefined])
})

it('passes on what a hook about new accounts may give', async () => {
  folder.file('before-sign-up.mjs', `export const handler = async () => ({ decision: 'accept' })`)
  const hook = {
    module: './before-sign-up.mjs',
    groups: ['Customers'],
    attributes: ['plan'],
    timeout_ms: 500,
  }
  const hooks = await startHooks({ before_sign_up: hook }, { folder: folder.path, onFailure: () => {} })
  try {
    const read = readHooks(hooks?.variable ?? '')
    expect(read).toEqual({
      beforeSignUp: expect.objectContaining({ groups: ['Customers'], attributes: ['plan'], timeoutMs: 500 }),
    })
  } finally {
    await hooks?.close()
  }
})

it.each([
  ['a module that does not exist', { after_sign_in: { module: './none.mjs' } }, 'none.mjs does not exist'],
  [
    'a claim of the service',
    { before_token: { module: './after-sign-in.mjs', claims: ['sub'] } },
    'which must not be the name of a claim that the service states itself',
  ],
  [
    'a hook that does not exist',
    { after_login: { module: './x.mjs' } },
    'hooks.after_login is not recognized',
  ],
  [
    'too many groups',
    { before_sign_up: { module: './x.mjs', groups: Array.from({ length: 21 }, (_, at) => `group ${at}`) } },
    'hooks.before_sign_up.groups',
  ],
  [
    'a wrong time',
    { after_sign_in: { module: './x.mjs', timeout_ms: 99 } },
    'hooks.after_sign_in.timeout_ms',
  ],
])('does not start with %s', async (_, hooks, problem) => {
  await expect(start(hooks)).rejects.toThrow(problem)
})

it('starts with a hook that is off', async () => {
  const service = await start({ after_sign_in: { module: './none.mjs', enabled: false } })
  expect(await signIn(service)).toEqual([200, undefined, undefined])
})
