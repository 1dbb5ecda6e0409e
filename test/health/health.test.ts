import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { runChecks } from '../../lib/features/health/checks.ts'
import { healthCheckMs } from '../../lib/kernel/limits/limits.ts'
import { openVault } from '../../lib/kernel/secrets/encryption.ts'
import { vaultCanaryKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Services } from '../../lib/services.ts'
import { costsSince } from '../support/directory.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const path = '/api/2/health'
const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
afterEach(() => vi.useRealTimers())

const get = (query = '', bearer?: string, headers = {}) =>
  service.client('GET', path + query, { headers, ...(bearer === undefined ? {} : { bearer }) })

describe('the health of the service', () => {
  it('is shown to everyone with the version, without a call to the table', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    const logStart = service.log.length
    const cookie = `latchkey=${admin.bearer}`
    for (const answer of [
      await get(),
      await get('?deep=false'),
      await get('', admin.bearer),
      await get('', 'not a credential'),
      await get('', undefined, { cookie }),
      await get('', undefined, { accept: 'text/html,*/*;q=0.8' }),
    ]) {
      expect([answer.status, answer.body]).toEqual([200, { status: 'ok', version }])
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.cookies).toEqual([])
    }
    expect(costsSince(service, logStart).map(({ calls }) => calls)).toEqual([0, 0, 0, 0, 0, 0])
  })

  it.each(['?deep=', '?deep=maybe', '?deep=true&deep=true', '?depth=1'])('rejects %s', async (query) => {
    expect((await get(query)).status).toBe(400)
  })

  it('is checked in depth for administrators', async () => {
    const names = ['table', 'vault', 'mail']
    const { status, body } = await get('?deep=true', admin.bearer)
    expect([status, body.status]).toEqual([200, 'ok'])
    expect(body.commit).toMatch(/^(?:[0-9a-f]{40,64}|unknown)$/)
    expect(body.checks.map(({ name }: { name: string }) => name)).toEqual(names)
    expect(body.checks.map((check: { status: string }) => check.status)).toEqual(['ok', 'ok', 'ok'])
  })
})

describe('checks of the parts', () => {
  const create = async (permissions: readonly string[], scopes?: readonly string[]) => {
    const { bearer } = await addSignedIn(service, { permissions })
    const body = { name: 'monitor', ...(scopes ? { scopes } : {}) }
    return (await service.client('POST', '/api/2/api-tokens', { bearer, body })).body.token
  }

  it('are for administrators only', async () => {
    const impersonating = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { user } = await addSignedIn(service)
    const started = await service.client('POST', '/api/2/auth/impersonation', {
      bearer: impersonating.bearer,
      body: { user: user.id },
    })
    expect(started.status).toBe(204)
    for (const [bearer, status] of [
      [undefined, 401],
      ['not a credential', 401],
      [`${admin.bearer}x`, 401],
      [(await addSignedIn(service)).bearer, 403],
      [(await addSignedIn(service, { permissions: ['users:manage', 'system:status:view'] })).bearer, 403],
      [impersonating.bearer, 403],
      [await create(['system:admin-access'], ['users:view']), 403],
      [await create(['users:manage']), 403],
      [await create(['system:admin-access'], ['system:admin-access']), 200],
      [await create(['system:admin-access']), 200],
    ] as const) {
      const answer = await get('?deep=true', bearer)
      expect(answer.status).toBe(status)
      if (status !== 200) expect(answer.text).not.toContain('vault')
    }
  })

  it('are not opened by the cookie of another person', async () => {
    const { bearer } = await addSignedIn(service)
    expect((await get('?deep=true', bearer, { cookie: `latchkey=${admin.bearer}` })).status).toBe(403)
  })
})

describe('a part that does not work', () => {
  /** Messages of errors can contain such names. */
  const secret = 'arn:aws:kms:eu-central-1:000000000000:key/secret'
  const failing = (parts: Partial<Services>): { services: Services; logged: unknown[] } => {
    const logged: unknown[] = []
    const error: Services['log']['error'] = (_, facts) => {
      logged.push(facts?.['check'])
    }
    return { services: { ...service.services, ...parts, log: { ...service.services.log, error } }, logged }
  }
  const reject = () => Promise.reject(new Error(secret))

  it('is named without the cause, which the log has', async () => {
    const { table, vault } = service.services
    const { services, logged } = failing({
      table: { ...table, get: reject },
      vault: { ...vault, encrypt: reject },
    })
    const checks = await runChecks(services, admin.user.id)
    expect(checks.map(({ name, status }) => [name, status])).toEqual([
      ['table', 'failing'],
      ['vault', 'failing'],
      ['mail', 'ok'],
    ])
    expect(JSON.stringify(checks)).not.toContain(secret)
    expect(logged.sort()).toEqual(['table', 'vault'])
  })

  it('is failing if it returns another text, or does not answer in time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { table, vault } = service.services
    const { services } = failing({
      table: { ...table, get: () => new Promise<never>(() => {}) },
      vault: { ...vault, encrypt: async () => 'cipher', decrypt: async () => 'another text' },
    })
    const checking = runChecks(services, admin.user.id)
    await vi.advanceTimersByTimeAsync(healthCheckMs)
    expect(await checking).toMatchObject([
      { name: 'table', status: 'failing', detail: `No answer within ${healthCheckMs} ms.` },
      { name: 'vault', status: 'failing' },
      { name: 'mail', status: 'ok' },
    ])
  })

  it('is the vault if it has another key than that of the stored secrets', async () => {
    const { table } = service.services
    const checkVault = async () => {
      const { status, body } = await get('?deep=true', admin.bearer)
      return { status, detail: body.checks[1].detail }
    }
    expect(await checkVault()).toEqual({ status: 200, detail: null })
    const canary = await table.get(vaultCanaryKey)
    expect(await checkVault()).toEqual({ status: 200, detail: null })
    expect(await table.get(vaultCanaryKey)).toEqual(canary)
    const folder = mkdtempSync(join(tmpdir(), 'latchkey-'))
    const other = openVault({ kmsKeyId: undefined, localKeyFile: join(folder, 'vault.key') })
    const cipher = await other.encrypt('canary', { purpose: 'health' })
    rmSync(folder, { recursive: true })
    await table.put({ ...vaultCanaryKey, cipher })
    expect(await checkVault()).toEqual({
      status: 503,
      detail: 'The vault has another key than the one that encrypted the stored secrets.',
    })
    await table.put({ ...vaultCanaryKey, ...canary })
  })

  it('is off if no sender of emails is configured', async () => {
    const { config } = service.services
    const { services } = failing({ config: { ...config, mailFrom: undefined } })
    const [, , mail] = await runChecks(services, admin.user.id)
    expect(mail).toMatchObject({ name: 'mail', status: 'off' })
  })
})
