import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startEngine } from '../../local/dynamodb.ts'
import { findFreePortPair } from '../../local/ports.ts'
import { runUsers } from '../cli/command.ts'
import { clientOf } from '../support/client.ts'
import { endServices, type LocalService, runStart, startService } from '../support/local-service.ts'
import { descendantsOf, survivorsOf } from '../support/processes.ts'
import { waitFor } from '../support/wait-for.ts'

let folder: string
let dataDir: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-'))
  dataDir = join(folder, 'data')
})
afterEach(async () => {
  await endServices()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
})

const passwordIn = (service: LocalService): string => /password (\S{20,})/.exec(service.stdout())?.[1] ?? ''

const login = (service: LocalService, password: string) =>
  fetch(`${service.url}/api/2/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  })

/** Starts a sign-in whose body is sent by `finish`. The service has received the headers when this resolves. */
const slowLogin = async (service: LocalService, password: string) => {
  const body = JSON.stringify({ username: 'admin', password })
  const req = request(`${service.url}/api/2/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': body.length, Expect: '100-continue' },
  })
  req.on('error', () => {})
  req.flushHeaders()
  await once(req, 'continue')
  return {
    finish: async (): Promise<number> => {
      const answered = once(req, 'response')
      req.end(body)
      const [res] = await answered
      res.resume()
      return res.statusCode
    },
  }
}

/** Overwrites all pages of the data but the first one, and the log of newer ones, which would replace them. */
const damagePages = (dataFolder: string): void => {
  const file = join(dataFolder, 'latchkey.db')
  const content = readFileSync(file)
  content.fill(0x5a, 4096)
  writeFileSync(file, content)
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true })
}

const linesOf = (text: string) => text.split('\n')

describe('a first start', () => {
  test('creates the user admin, prints the password once, and serves the printed URLs', async () => {
    const startedAt = performance.now()
    const service = await startService({ DATA_DIR: dataDir })
    process.stdout.write(`ready after ${Math.round(performance.now() - startedAt)} ms\n`)

    const said = service.stdout()
    expect(linesOf(said)).toContain(`ready ${service.url}`)
    expect(linesOf(said).filter((line) => line.length > 80)).toEqual([])
    expect(said).toContain(`  Data    ${dataDir}`)
    expect(passwordIn(service)).toMatch(/^[A-Za-z0-9]{24}$/)
    expect(said).toContain(`"password":"${passwordIn(service)}"}'`)
    expect((await login(service, passwordIn(service))).status).toBe(200)

    const mailUrl = /Mail\s+(\S+)/.exec(said)?.[1] ?? ''
    expect(mailUrl).toBe(`http://localhost:${service.port + 1}`)
    expect((await fetch(mailUrl)).status).toBe(200)
    expect(service.stderr()).toBe('')
  })

  test('uses a given password without printing it', async () => {
    const password = 'violin harbor mustard'
    const service = await startService({ DATA_DIR: dataDir, ADMIN_PASSWORD: password })
    expect((await login(service, password)).status).toBe(200)
    expect(service.stdout()).toContain('"password":"YOUR_PASSWORD"')
    expect(service.stdout() + service.stderr()).not.toContain(password)
  })

  test('keeps nothing in memory mode', async () => {
    const service = await startService({ DATA_DIR: ':memory:' })
    expect(service.stdout()).toContain('in memory')
    expect((await login(service, passwordIn(service))).status).toBe(200)
    expect(existsSync(':memory:')).toBe(false)
  })
})

describe('a second start', () => {
  test('finds its data and creates no other password', async () => {
    const first = await startService({ DATA_DIR: dataDir })
    const password = passwordIn(first)
    first.process.kill('SIGTERM')
    expect(await first.exited).toBe(0)

    const second = await startService({ DATA_DIR: dataDir, ADMIN_PASSWORD: 'another password' })
    expect(passwordIn(second)).toBe('')
    expect(second.stdout()).toContain('ADMIN_PASSWORD was ignored')
    expect((await login(second, 'another password')).status).toBe(401)
    expect((await login(second, password)).status).toBe(200)
  })

  test('names the command for a lost password, whose link leads to the port of this service', async () => {
    const first = await startService({ DATA_DIR: dataDir })
    first.process.kill('SIGINT')
    await first.exited
    const service = await startService({ DATA_DIR: dataDir })
    const [, command = ''] =
      /lost the password\? npm exec --no -- latchkey users (.*)\)/.exec(service.stdout()) ?? []
    const { code, stdout } = await runUsers(command.split(' '), { DATA_DIR: dataDir })
    expect(code).toBe(0)
    const [, token] = new RegExp(`^ {2}${service.url}/reset#token=(\\S+)$`, 'm').exec(stdout) ?? []
    const body = { token, password: 'nine moons over a violet tractor' }
    const reset = await clientOf(service.url)('POST', '/api/2/auth/reset-password', { body })
    expect(reset.status, reset.text).toBeLessThan(300)
    expect((await login(service, body.password)).status).toBe(200)
  })

  test('works after the first was killed, which leaves no process', async () => {
    const first = await startService({ DATA_DIR: dataDir })
    const password = passwordIn(first)
    const children = descendantsOf(first.pid).map((child) => child.pid)
    expect(children.length).toBeGreaterThan(0)
    first.process.kill('SIGKILL')
    const second = await startService({ DATA_DIR: dataDir })
    expect((await login(second, password)).status).toBe(200)
    expect(await survivorsOf(children)).toEqual([])
  })

  test('refuses data that were damaged, after the first was killed', async () => {
    const healthy = await startService({ DATA_DIR: dataDir })
    healthy.process.kill('SIGTERM')
    expect(await healthy.exited).toBe(0)
    const killed = await startService({ DATA_DIR: dataDir })
    killed.process.kill('SIGKILL')
    await killed.exited
    const copy = join(folder, 'copy')
    cpSync(dataDir, copy, { recursive: true })
    damagePages(copy)
    const damaged = runStart({ DATA_DIR: copy, PORT: String(await findFreePortPair()) })
    expect(await damaged.exited).toBe(1)
    expect(damaged.stderr()).toBe(
      `DATA_DIR ${copy} cannot be used: its file latchkey.db is damaged. Restore a copy of the folder.\n`,
    )
    const again = runStart({ DATA_DIR: copy, PORT: String(await findFreePortPair()) })
    expect(await again.exited).toBe(1)
    await startService({ DATA_DIR: dataDir })
  })

  test('refuses data without its vault key, or with another one, and creates none', async () => {
    const first = await startService({ DATA_DIR: dataDir })
    first.process.kill('SIGTERM')
    await first.exited
    const file = join(dataDir, 'vault.key')
    const key = readFileSync(file)
    rmSync(file)
    const keyless = runStart({ DATA_DIR: dataDir, PORT: String(await findFreePortPair()) })
    expect(await keyless.exited).toBe(1)
    expect(keyless.stderr()).toMatch(/vault\.key is missing\. .* Restore the file/)
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, '0'.repeat(64))
    const other = runStart({ DATA_DIR: dataDir, PORT: String(await findFreePortPair()) })
    expect(await other.exited).toBe(1)
    expect(other.stderr()).toMatch(/vault\.key has another key than .* Restore the file/)
    expect(linesOf(keyless.stderr() + other.stderr())).toHaveLength(3)
    writeFileSync(file, key)
    await startService({ DATA_DIR: dataDir })
  })

  test('refuses a folder with keys whose data are missing or empty, instead of starting a new service', async () => {
    const first = await startService({ DATA_DIR: dataDir })
    first.process.kill('SIGTERM')
    await first.exited
    const copy = join(folder, 'emptied')
    for (const empty of [(file: string) => writeFileSync(file, ''), (file: string) => rmSync(file)]) {
      cpSync(dataDir, copy, { recursive: true })
      const file = join(copy, 'latchkey.db')
      empty(file)
      rmSync(`${file}-wal`, { force: true })
      const started = runStart({ DATA_DIR: copy, PORT: String(await findFreePortPair()) })
      expect(await started.exited).toBe(1)
      expect(started.stderr()).toBe(
        `The data in ${copy} are missing or empty, but ${join(copy, 'vault.key')} exists. Restore the folder from your backup. To start a new service, move the folder away.\n`,
      )
      rmSync(copy, { recursive: true })
    }
    await startService({ DATA_DIR: dataDir })
  })

  test('names the process that uses the folder, and changes nothing', async () => {
    const first = await startService({ DATA_DIR: dataDir })
    const second = runStart({ DATA_DIR: dataDir, PORT: String(await findFreePortPair()) })
    expect(await second.exited).toBe(1)
    expect(second.stderr()).toBe(
      `Latchkey already uses ${dataDir} (process ${first.pid}). Stop it or set another DATA_DIR.\n`,
    )
    expect(second.stdout()).toBe('')
    expect((await login(first, passwordIn(first))).status).toBe(200)
  })
})

describe('a failed start prints the reason in one sentence for', () => {
  test.each([
    [0, 'the service'],
    [1, 'email'],
  ])('port + %i for %s in use', async (offset, use) => {
    const port = await findFreePortPair()
    const other = createServer().listen(port + offset, '127.0.0.1')
    await once(other, 'listening')
    const service = runStart({ DATA_DIR: dataDir, PORT: String(port) })
    expect(await service.exited).toBe(1)
    expect(service.stderr()).toBe(
      `Port ${port + offset} for ${use} is in use. Set another PORT (email uses the port above it).\n`,
    )
    other.close()
  })

  test.each([
    [{ PORT: 'http' }, 'PORT must be a whole number from 1 to 65534'],
    [{ PORT: '0' }, 'PORT must be a whole number from 1 to 65534'],
    [{ ADMIN_PASSWORD: 'short' }, 'ADMIN_PASSWORD must have 12 to 1024 characters'],
    [{ ADMIN_PASSWORD: 'Correct Horse Battery Staple' }, 'ADMIN_PASSWORD is too easy to guess'],
    [{ ALLOW_PRIVATE_METADATA: 'yes' }, 'ALLOW_PRIVATE_METADATA must be true or false'],
    [{ RATE_LIMITS: 'otp=5' }, 'RATE_LIMITS must be a list such as otpGuesses=5/300 of accountFailures'],
    [{ PUBLIC_URL: 'https://example.com/path' }, 'PUBLIC_URL'],
    [{ ALLOWED_ORIGINS: 'https://a.example,b' }, 'ALLOWED_ORIGINS'],
    [{ DYNAMODB_ENDPOINT: 'notaurl' }, 'DYNAMODB_ENDPOINT must be an http(s) URL'],
    [{ DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' }, 'No DynamoDB responds at http://127.0.0.1:1'],
  ])('%o', async (env, sentence) => {
    const service = runStart({ PORT: String(await findFreePortPair()), DATA_DIR: dataDir, ...env })
    expect(await service.exited).toBe(1)
    expect(service.stderr()).toContain(sentence)
    expect(linesOf(service.stderr().trim())).toHaveLength(1)
    expect(service.stdout()).toBe('')
  })

  test('a DATA_DIR that is a file', async () => {
    writeFileSync(dataDir, '')
    const service = runStart({ PORT: String(await findFreePortPair()), DATA_DIR: dataDir })
    expect(await service.exited).toBe(1)
    expect(service.stderr()).toMatch(/^DATA_DIR .+ cannot be used: .+\n$/)
  })
})

describe('a running service', () => {
  test('prints one line per request with the route but without sent data', async () => {
    const service = await startService({ DATA_DIR: ':memory:' })
    await login(service, 'secret password')
    await fetch(`${service.url}/api/2/users/4711?token=secret`)
    await fetch(`${service.url}/secret`)
    const lines = () => linesOf(service.stdout().trim()).slice(-3)
    await waitFor(() => expect(lines()[2]).toContain('unknown route'))
    expect(lines()).toEqual([
      expect.stringMatching(/^\d\d:\d\d:\d\d POST \/api\/2\/auth\/login 401 \d+ ms [\da-f]{8}$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d GET \/api\/2\/users\/\{id\} 401 \d+ ms [\da-f]{8}$/),
      expect.stringMatching(/^\d\d:\d\d:\d\d GET \(unknown route\) 404 \d+ ms [\da-f]{8}$/),
    ])
    expect(service.stdout() + service.stderr()).not.toContain('secret')
  })

  test('sends emails soon after the request for them', async () => {
    const service = await startService({ DATA_DIR: ':memory:' })
    const client = clientOf(service.url)
    const { body } = await client('POST', '/api/2/auth/login', {
      body: { username: 'admin', password: passwordIn(service) },
    })
    const asked = await client('POST', '/api/2/users/me/email', {
      bearer: body.session_key,
      body: { email: 'admin@example.com' },
    })
    expect(asked.status).toBe(204)
    const mailbox = clientOf(`http://127.0.0.1:${service.port + 1}`)
    const readEmails = async () => (await mailbox('GET', '/store')).body.emails
    await waitFor(async () => expect(await readEmails()).toHaveLength(1))
    expect((await readEmails())[0].destination.to).toEqual(['admin@example.com'])
  })

  test('allows calls from pages of allowed origins', async () => {
    const service = await startService({ DATA_DIR: ':memory:', ALLOWED_ORIGINS: 'https://app.example' })
    const answer = await fetch(`${service.url}/api/2/auth/login`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example')
  })

  test('exits with a sentence when the engine crashes', async () => {
    const service = await startService({ DATA_DIR: dataDir })
    const engine = descendantsOf(service.pid).find((child) => !child.command.startsWith('sh '))
    process.kill(engine?.pid ?? 0, 'SIGKILL')
    expect(await service.exited).toBe(1)
    expect(service.stderr()).toMatch(/^The database engine \S+ exited unexpectedly(: .+)?\.\n$/)
  })

  test('has keys that verify JWTs as soon as it starts, and keeps them', async () => {
    const readKeys = async (url: string) => (await fetch(`${url}/.well-known/jwks.json`)).json()
    const first = await startService({ DATA_DIR: dataDir })
    const keys = await readKeys(first.url)
    expect(keys).toMatchObject({ keys: [{ alg: 'RS256' }, { alg: 'RS256' }] })
    first.process.kill('SIGTERM')
    await first.exited
    const second = await startService({ DATA_DIR: dataDir })
    expect(await readKeys(second.url)).toEqual(keys)
    second.process.kill('SIGTERM')
    await second.exited
  })

  test('uses an external DynamoDB without starting an engine', async () => {
    const engine = await startEngine({ dataDir: ':memory:' })
    const service = await startService({ DYNAMODB_ENDPOINT: engine.endpoint, DATA_DIR: dataDir })
    expect(descendantsOf(service.pid)).toEqual([])
    expect(service.stdout()).toContain(`  Data    ${engine.endpoint}`)
    expect((await login(service, passwordIn(service))).status).toBe(200)
    // The key that encrypts signing keys.
    expect(readdirSync(dataDir)).toEqual(['vault.key'])
    service.process.kill('SIGTERM')
    expect(await service.exited).toBe(0)
    await engine.close()
  })
})

describe('sign-ins', () => {
  test('at the same time all succeed, and delay no other request', async () => {
    const service = await startService({ DATA_DIR: ':memory:', PASSWORD_COST: '12' })
    const readHealth = () => fetch(`${service.url}/api/2/health`)
    await readHealth()
    const finished: string[] = []
    const signIns = Array.from({ length: 4 }, async () => {
      const { status } = await login(service, passwordIn(service))
      finished.push('sign-in')
      return status
    })
    for (let request = 0; request < 10; request++) expect((await readHealth()).status).toBe(200)
    finished.push('health')
    expect(await Promise.all(signIns)).toEqual([200, 200, 200, 200])
    expect(finished.at(-1)).toBe('sign-in')
  })
})

describe('stopping', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('by %s leaves no process', async (signal) => {
    const service = await startService({ DATA_DIR: dataDir })
    const children = descendantsOf(service.pid).map((child) => child.pid)
    service.process.kill(signal)
    expect(await service.exited).toBe(0)
    expect(await survivorsOf(children)).toEqual([])
    expect(service.stderr()).toBe('')
  })

  test('lets a running request finish, even if npm forwards the signal again', async () => {
    const service = await startService({ DATA_DIR: dataDir })
    const running = await slowLogin(service, passwordIn(service))
    service.process.kill('SIGINT')
    service.process.kill('SIGINT')
    await waitFor(() => expect(fetch(service.url)).rejects.toThrow())
    expect(await running.finish()).toBe(200)
    expect(await service.exited).toBe(0)
  })

  test('is immediate on a second Ctrl-C', async () => {
    const service = await startService({ DATA_DIR: dataDir })
    const children = descendantsOf(service.pid).map((child) => child.pid)
    await slowLogin(service, passwordIn(service))
    service.process.kill('SIGINT')
    await waitFor(() => expect(fetch(service.url)).rejects.toThrow())
    await sleep(500)
    service.process.kill('SIGINT')
    expect(await service.exited).toBe(1)
    expect(await survivorsOf(children)).toEqual([])
  })

  test('does not wait forever for a running request', async () => {
    const service = await startService({ DATA_DIR: dataDir })
    await slowLogin(service, passwordIn(service))
    service.process.kill('SIGTERM')
    expect(await service.exited).toBe(0)
  })
})
