import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePortPair } from '../../local/ports.ts'
import { type CookieBrowser, createCookieBrowser } from '../package/cookie-browser.ts'
import { type LocalLatchkey, type LocalUser, startLatchkey } from './latchkey.ts'
import type { Browse, Libraries, Registration } from './parties/registration.ts'

/* Servers sign users in with the libraries of `docs/libraries.md`. */

/** The compiler of the folder checks it with the libraries, which the program of this repository does not have. */
const parties = './parties/libraries.ts'

let libraries: Libraries
let latchkey: LocalLatchkey
let user: LocalUser
let browser: CookieBrowser
beforeAll(async () => {
  libraries = await import(parties)
  latchkey = await startLatchkey()
  user = await latchkey.addUser()
  browser = createCookieBrowser()
  await browser.send(`${latchkey.url}/api/2/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: latchkey.url },
    body: JSON.stringify({ username: user.username, password: user.password }),
  })
})
afterAll(() => latchkey?.close())

const register = async (fields: object = {}): Promise<Registration> => {
  const baseUrl = `http://127.0.0.1:${await findFreePortPair()}`
  const client = await latchkey.registerClient({
    name: baseUrl,
    redirect_uris: [`${baseUrl}/callback`],
    scopes: ['openid', 'profile'],
    ...fields,
  })
  return {
    ...{ issuer: latchkey.url, baseUrl },
    ...{ clientId: client.client_id, clientSecret: client.client_secret ?? '' },
  }
}

/** Follows redirects up to the address of the product, where no server is needed. */
const browse =
  ({ baseUrl }: Registration): Browse =>
  async (url) => {
    for (let next = url; ; ) {
      const answer = await browser.send(next.href)
      const location = answer.headers.get('location')
      if (!location) throw new Error(`${next} leads nowhere: ${answer.status} ${await answer.text()}`)
      next = new URL(location, next)
      if (next.origin === new URL(baseUrl).origin) return next
    }
  }

it.each(['express-openid-connect', 'passport-openidconnect', 'arctic'])(
  'the documentation shows what is tested with %s',
  (name) => {
    const page = readFileSync('docs/libraries.md', 'utf8')
    const [, block = ''] = new RegExp(`\\n## ${name}\\n[^#]*?\`\`\`js\\n([^]*?)\`\`\``).exec(page) ?? []
    const tested = readFileSync('test/relying-parties/parties/libraries.ts', 'utf8')
    const lines = block.split('\n').map((line) => line.trim())
    const untested = lines.filter((line) => line !== '' && line !== 'verify,' && !line.startsWith('//'))
    expect(untested.length).toBeGreaterThan(5)
    for (const line of untested) expect(tested).toContain(line)
  },
)

describe('a user signs in', () => {
  it.each([
    ['passport-openidconnect, which has no PKCE', '/login', 'buildPassportApp', { requires_pkce: false }],
    ['express-openid-connect', '/', 'buildExpressOpenIdConnectApp', {}],
  ] as const)('with %s', async (_, path, build, fields) => {
    const registration = await register(fields)
    const close = await libraries.listen(libraries[build](registration) as never, registration)
    try {
      const page = await browser.open(`${registration.baseUrl}${path}`)
      expect([page.status, page.text]).toEqual([200, `sub=${user.id}`])
    } finally {
      await close()
    }
  })

  it.each([
    ['arctic', 'signInWithArctic'],
    ['oauth4webapi', 'signInWithOauth4webapi'],
  ] as const)('with %s', async (_, signIn) => {
    const registration = await register()
    expect(await libraries[signIn](registration, browse(registration))).toBe(String(user.id))
  })

  it('with Authlib', async () => {
    const registration = await register()
    const script = new URL('parties/authlib_client.py', import.meta.url).pathname
    const child = spawn('/usr/bin/python3', [script], {
      env: {
        ...{ ISSUER: registration.issuer, CLIENT_ID: registration.clientId },
        ...{ CLIENT_SECRET: registration.clientSecret, AUTHLIB_INSECURE_TRANSPORT: '1' },
        REDIRECT_URI: `${registration.baseUrl}/callback`,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const started = await lines.next()
    const answer = await browse(registration)(new URL(started.value ?? ''))
    child.stdin.end(`${answer.href}\n`)
    expect(JSON.parse((await lines.next()).value ?? '{}')).toEqual({ sub: String(user.id) })
  })
})

describe.each([
  ['arctic', 'signInWithArctic'],
  ['oauth4webapi', 'signInWithOauth4webapi'],
] as const)('an attacker gets no one in with %s', (_, signIn) => {
  /** A code of the user for another client, as a malicious product has it. */
  const stealCode = async (): Promise<string> => {
    const other = await register()
    let code = ''
    const attempt = libraries[signIn](other, async (url) => {
      code = (await browse(other)(url)).searchParams.get('code') ?? ''
      throw new Error('stolen')
    })
    await expect(attempt).rejects.toThrow('stolen')
    return code
  }
  const attempt = async (change: (answer: URL) => void): Promise<string> => {
    const registration = await register()
    return libraries[signIn](registration, async (url) => {
      const answer = await browse(registration)(url)
      change(answer)
      return answer
    }).catch((error: unknown) => `${error} ${(error as { error?: string }).error}`)
  }

  it('by a code of another client', async () => {
    const code = await stealCode()
    expect(code).not.toBe('')
    expect(await attempt((answer) => answer.searchParams.set('code', code))).toContain('invalid_grant')
  })

  it('by a code that was used', async () => {
    const registration = await register()
    let used = new URL(registration.baseUrl)
    const keep: Browse = async (url) => {
      used = await browse(registration)(url)
      return used
    }
    expect(await libraries[signIn](registration, keep)).toBe(String(user.id))
    const again = await attempt((answer) =>
      answer.searchParams.set('code', used.searchParams.get('code') ?? ''),
    )
    expect(again).toContain('invalid_grant')
  })

  it('by an answer to another request', async () => {
    expect(await attempt((answer) => answer.searchParams.set('state', 'x'))).toMatch(/state/)
  })
})
