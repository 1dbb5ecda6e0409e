import { once } from 'node:events'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startStub } from '../infra/stub-server.ts'
import { answerDevice } from '../support/devices.ts'
import { addRelyingParty } from '../support/oidc.ts'
import { addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'
import { type CommandResult, type Folder, makeFolder, startSignIn } from './command.ts'

const service = await useService()
const person = await addSignedIn(service)
const party = await addRelyingParty(service, {
  type: 'public',
  redirect_uris: [],
  device_authorization: true,
})
const clientId: string = party.client.clientId

let folder: Folder
beforeEach(() => {
  folder = makeFolder()
})
afterEach(() => folder.remove())

const run = (script: 'login' | 'logout' | 'whoami', ...args: string[]): Promise<CommandResult> =>
  startSignIn(script, args, { XDG_CONFIG_HOME: folder.path }).ended
const file = () => join(folder.path, 'latchkey', 'tokens.json')

/** Starts a login, and answers its code as soon as it is printed. */
const logIn = async (answer: 'continue' | 'cancel'): Promise<CommandResult> => {
  const args = ['--url', service.url, '--client-id', clientId]
  const { process: child, ended } = startSignIn('login', args, { XDG_CONFIG_HOME: folder.path })
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  while (!/[A-Z]{4}-[A-Z]{4}/.test(printed)) await once(child.stdout, 'data')
  const [code = ''] = /[A-Z]{4}-[A-Z]{4}/.exec(printed) ?? []
  await answerDevice(service, code, answer, person.bearer)
  return ended
}

describe('login', () => {
  it('signs in with a code, and logout ends it', { timeout: 60_000 }, async () => {
    const { code, stdout, stderr } = await logIn('continue')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`  ${service.url}/device\n`)
    expect(stdout).toContain(`You are signed in as ${person.user.username}`)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder.path, 'latchkey')).mode & 0o777).toBe(0o700)
    const stored = JSON.parse(readFileSync(file(), 'utf8'))
    const again = await run('login', '--url', service.url, '--client-id', clientId)
    expect(again).toMatchObject({ code: 2, stdout: '' })
    expect(again.stderr).toContain('Run latchkey logout first.')
    // An access token that has expired is renewed.
    writeFileSync(file(), JSON.stringify({ ...stored, accessTokenExpiresAt: 0 }))
    const who = await run('whoami')
    expect(who.stdout).toContain(`${person.user.username}`)
    expect(who.stdout).toContain(service.url)
    expect(JSON.parse(readFileSync(file(), 'utf8')).refreshToken).not.toBe(stored.refreshToken)
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    const current = JSON.parse(readFileSync(file(), 'utf8'))
    expect(await run('logout')).toEqual({
      code: 0,
      stdout: `You are signed out of ${service.url}.\n`,
      stderr: '',
    })
    expect(() => statSync(file())).toThrow()
    const userinfo = await service.client('GET', '/oauth2/userinfo', { bearer: current.accessToken })
    expect(userinfo.status).toBe(401)
  })

  it('ends if the user cancels', { timeout: 60_000 }, async () => {
    expect(await logIn('cancel')).toMatchObject({ code: 2, stderr: 'The sign-in was canceled.\n' })
    expect(() => statSync(file())).toThrow()
  })

  it('says what is wrong', async () => {
    const other = await addRelyingParty(service, { type: 'public' })
    const login = (...args: string[]) => run('login', ...args)
    const results = await Promise.all([
      login(),
      login('--url', 'http://auth.example.com', '--client-id', clientId),
      login('--url', service.url),
      login('--url', service.url, '--client-id', '1-abc'),
      login('--url', service.url, '--client-id', other.client.clientId),
      login('--url', 'http://127.0.0.1:1', '--client-id', clientId),
      run('whoami'),
      run('whoami', 'me'),
    ])
    expect(results.map(({ code }) => code)).toEqual(results.map(() => 2))
    expect(results.map(({ stderr }) => stderr)).toEqual([
      expect.stringContaining('needs --url URL: the origin of the service'),
      expect.stringContaining('must begin with https://'),
      expect.stringContaining('needs --client-id'),
      expect.stringContaining('does not know this client'),
      expect.stringContaining('may not sign users in on devices'),
      expect.stringContaining('cannot be reached'),
      expect.stringContaining('You are not signed in'),
      expect.stringContaining('takes no "me"'),
    ])
  })

  it('prints nothing that a terminal would obey', async () => {
    const stub = await startStub(() => ({
      status: 200,
      body: JSON.stringify({
        ...{ device_code: 'x', user_code: '\u001b[2J', verification_uri: 'https://a.example/' },
        ...{ expires_in: 600, interval: 5 },
      }),
    }))
    const { code, stdout, stderr } = await run('login', '--url', stub.url, '--client-id', clientId)
    await stub.close()
    expect([code, stdout, stderr]).toEqual([2, '', `${stub.url} is no service of Latchkey. Check --url.\n`])
  })
})

it('the help of each command fits a terminal', async () => {
  const helps = await Promise.all((['login', 'logout', 'whoami'] as const).map((name) => run(name, '--help')))
  for (const { code, stdout } of helps) {
    expect(code).toBe(0)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  }
})
