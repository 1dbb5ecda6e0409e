import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newAuthenticator } from '../support/authenticator.ts'
import { type Client, clientOf } from '../support/client.ts'
import { endServices, startService } from '../support/local-service.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-start-'))
})
afterEach(async () => {
  await endServices()
  rmSync(folder, { recursive: true, force: true })
})

const password = 'violin harbor mustard'
const login = (client: Client, otp?: string) =>
  client('POST', '/api/2/auth/login', { body: { username: 'admin', password, otp } })
const enable = async (client: Client) => {
  const { body } = await login(client)
  const authenticator = newAuthenticator()
  const options = { bearer: body.session_key, body: { key: authenticator.key, otp: authenticator.code() } }
  const answer = await client('POST', `/api/2/users/${body.user.id}/totp`, options)
  expect(answer.status).toBe(200)
  return authenticator
}

/**
 * Returns the status of the first accepted code, else of the last one. These tests use the real clock: which of the
 * next codes is within the drift depends on whether a step of 30 s has just ended.
 */
const codeLogin = async (
  client: Client,
  authenticator: Awaited<ReturnType<typeof enable>>,
  stepsAhead: readonly number[],
): Promise<number> => {
  let status = 0
  for (const ahead of stepsAhead) {
    ;({ status } = await login(client, authenticator.code(ahead)))
    if (status === 200) break
  }
  return status
}

it('accepts a second factor after a restart', async () => {
  const first = await startService({ DATA_DIR: folder, ADMIN_PASSWORD: password })
  const authenticator = await enable(clientOf(first.url))
  expect(await codeLogin(clientOf(first.url), authenticator, [1, 0])).toBe(200)
  expect(statSync(join(folder, 'vault.key')).mode & 0o777).toBe(0o600)
  first.process.kill('SIGTERM')
  expect(await first.exited).toBe(0)

  const second = await startService({ DATA_DIR: folder })
  expect((await login(clientOf(second.url))).body.reason).toBe('otp_required')
  expect(await codeLogin(clientOf(second.url), authenticator, [2, 1, 0])).toBe(200)
})

it('discards the key of data in memory', async () => {
  const service = await startService({ DATA_DIR: ':memory:', ADMIN_PASSWORD: password, TMPDIR: folder })
  await enable(clientOf(service.url))
  const [name = ''] = readdirSync(folder).filter((entry) => existsSync(join(folder, entry, 'vault.key')))
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o700)
  service.process.kill('SIGTERM')
  expect(await service.exited).toBe(0)
  expect(existsSync(join(folder, name))).toBe(false)
})
