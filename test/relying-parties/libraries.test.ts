import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findFreePortPair } from '../../local/ports.ts'
import { blocksOf, sectionOf } from '../docs/markdown.ts'
import { type CookieBrowser, createCookieBrowser } from '../package/cookie-browser.ts'
import { launchChromium } from '../support/chromium.ts'
import { startApache } from './apache.ts'
import { adminPassword, type LocalLatchkey, type RegisteredClient, startLatchkey } from './latchkey.ts'

/* The examples of docs/libraries.md, as they stand there, with the registration and the user of the same page. Only ports differ. */

const documentation = 'docs/libraries.md'
const servers = [
  'openid-client',
  'oauth4webapi',
  'express-openid-connect',
  'passport-openidconnect',
  'arctic',
] as const
type Server = (typeof servers)[number]

/** The user that the page names. */
const readUser = () => {
  const [, username = '', email = ''] =
    /Sign in as `(\w+)`.* email address `([^`]+)`/.exec(readFileSync(documentation, 'utf8')) ?? []
  return { username, email, password: adminPassword }
}
const user = readUser()

let latchkey: LocalLatchkey
let folder: string
/** What each example was tried with. */
const tested = new Map<string, 'runs' | 'settings, not run'>()
const started: ChildProcess[] = []
beforeAll(async () => {
  latchkey = await startLatchkey()
  folder = mkdtempSync(resolve('test/relying-parties/node_modules/.examples-'))
})
afterEach(async () => {
  for (const child of started.splice(0)) {
    const closed = once(child, 'close')
    child.kill()
    await closed
  }
})
afterAll(async () => {
  await latchkey?.close()
  rmSync(folder, { recursive: true, force: true })
})

const findExample = (name: string, language: string): string => {
  const block = sectionOf(documentation, name).blocks.find((one) => one.language === language)
  if (!block) throw new Error(`${documentation} has no example for ${name}.`)
  return block.text
}

/** Registers a client as the section says, or else as the beginning of the page does. */
const register = async (name: string, port: number): Promise<RegisteredClient> => {
  const blocks = [...sectionOf(documentation, name).blocks, ...blocksOf(documentation)]
  const { text = '' } = blocks.find(({ language }) => language === 'sh') ?? {}
  const [, body = ''] = /-d '([^']+)'/.exec(text) ?? []
  const given = JSON.parse(body.replaceAll('8080', String(port)))
  return latchkey.registerClient({ ...given, name: `${name} ${port}` })
}

const describeEnvironment = ({ client_id, client_secret }: RegisteredClient) => ({
  ...{ PATH: process.env['PATH'] ?? '', ISSUER: latchkey.url },
  ...{ CLIENT_ID: client_id, CLIENT_SECRET: client_secret ?? '' },
})

/** Runs an example until it listens. Returns its address. */
const startServer = async (name: Server): Promise<string> => {
  const port = await findFreePortPair()
  const file = join(folder, `${name}-${port}.mjs`)
  writeFileSync(file, findExample(name, 'js').replaceAll('8080', String(port)))
  const child = spawn(process.execPath, [file], {
    env: describeEnvironment(await register(name, port)),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('ready')) return `http://localhost:${port}`
  throw new Error(output)
}

const signIn = async (browser: CookieBrowser): Promise<void> => {
  const { username, password } = user
  const { status } = await browser.send(`${latchkey.url}/api/2/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: latchkey.url },
    body: JSON.stringify({ username, password }),
  })
  expect(status).toBe(200)
}

/** Opens an address, signs in where the sign-in page asks for it, and returns the address of the product that it ends with. */
const goTo = async (browser: CookieBrowser, start: string, isEnd: (url: URL) => boolean): Promise<URL> => {
  let next = new URL(start)
  for (let count = 0; count < 20; count++) {
    const answer = await browser.send(next.href)
    const location = answer.headers.get('location')
    if (location) next = new URL(location, next)
    else {
      const returnTo = next.searchParams.get('return_to')
      if (!returnTo) throw new Error(`${next} leads nowhere: ${answer.status} ${await answer.text()}`)
      await signIn(browser)
      next = new URL(returnTo, next)
    }
    if (isEnd(next)) return next
  }
  throw new Error(`${start} leads in circles.`)
}
const isCallback = ({ pathname }: URL): boolean => pathname.endsWith('/callback')
const greeting = () => `Hello ${user.username}, ${user.email}`

describe('a user signs in with the example', () => {
  let chromium: Browser
  beforeAll(async () => {
    chromium = await launchChromium()
  })
  afterAll(() => chromium?.close())

  /** Opens an address in a browser that knows no one, and signs in. */
  const openPage = async (url: string): Promise<Page> => {
    const page = await (await chromium.newContext()).newPage()
    page.setDefaultTimeout(15_000)
    await page.goto(url)
    await page.getByLabel('Username or email').fill(user.username)
    await page.getByLabel('Password', { exact: true }).fill(user.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    return page
  }

  it.each(servers)('for %s', async (name) => {
    const url = await startServer(name)
    const browser = createCookieBrowser()
    const page = await browser.open((await goTo(browser, url, isCallback)).href)
    expect([page.status, page.text, page.url.pathname]).toEqual([200, greeting(), '/'])
    tested.set(name, 'runs')
  })

  it('for oidc-client-ts', async () => {
    const name = 'oidc-client-ts'
    const port = await findFreePortPair()
    const { client_id: clientId } = await register(name, port)
    const contents = findExample(name, 'js')
      .replaceAll('http://localhost:3000', latchkey.url)
      .replaceAll('8080', String(port))
      .replaceAll('the client_id', clientId)
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: resolve('test/relying-parties') },
      ...{ bundle: true, format: 'esm', write: false, logLevel: 'silent' },
    })
    const server = createServer((request, response) => {
      const isScript = request.url === '/page.js'
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
      response.end(
        isScript
          ? outputFiles[0]?.text
          : '<!doctype html><title>Product</title><body><script type="module" src="/page.js"></script>',
      )
    })
    await new Promise<void>((done) => server.listen(port, 'localhost', done))
    const page = await openPage(`http://localhost:${port}/`)
    try {
      // Latchkey asks only for what the page names.
      const { text } = sectionOf(documentation, name)
      for (const [, button = ''] of text.matchAll(/press “([^”]+)”/g))
        await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByText(greeting(), { exact: true }).waitFor()
      tested.set(name, 'runs')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('for Authlib', async () => {
    const port = await findFreePortPair()
    const file = join(folder, 'authlib_client.py')
    writeFileSync(file, findExample('Authlib', 'python').replaceAll('8080', String(port)))
    const child = spawn('/usr/bin/python3', [file], {
      env: describeEnvironment(await register('Authlib', port)),
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    started.push(child)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const { value: start = '' } = await lines.next()
    const answer = await goTo(createCookieBrowser(), start, isCallback)
    child.stdin.end(`${answer.href}\n`)
    expect((await lines.next()).value).toBe(greeting())
    tested.set('Authlib', 'runs')
  })

  it('for mod_auth_openidc', async () => {
    const port = await findFreePortPair()
    const client = await register('mod_auth_openidc', port)
    const { client_id: clientId, client_secret: secret } = client
    const apache = await startApache({ port, issuer: latchkey.url, clientId, clientSecret: secret ?? '' })
    try {
      const page = await openPage(`${apache.url}/protected/`)
      await page.locator('#email', { hasText: user.email }).waitFor()
      tested.set('mod_auth_openidc', 'runs')
    } finally {
      await apache.close()
    }
  })
})

describe.each(servers)('an attacker gets no one in with the example for %s', (name) => {
  it('by a code of another client, a used code, or an answer to another request', async () => {
    const [url, otherUrl] = [await startServer(name), await startServer(name)]
    const known = createCookieBrowser()
    const used = await goTo(known, url, isCallback)
    expect((await known.open(used.href)).text).toBe(greeting())
    const stolen = await goTo(known, otherUrl, isCallback)
    for (const [parameter, value] of [
      ['code', stolen.searchParams.get('code')],
      ['code', used.searchParams.get('code')],
      ['state', 'x'],
    ] as const) {
      const browser = createCookieBrowser()
      const answer = await goTo(browser, url, isCallback)
      answer.searchParams.set(parameter, value ?? '')
      await browser.send(answer.href)
      const { status, headers } = await browser.send(url)
      expect([status, headers.get('location')?.startsWith(latchkey.url)], parameter).toEqual([302, true])
    }
  })
})

describe('what an example asks for', () => {
  /** The scopes that the client of the page can request. */
  const findAllowedScopes = async (): Promise<readonly string[]> =>
    ((await register('Spring Security', await findFreePortPair())) as { scopes?: readonly string[] })
      .scopes ?? []

  it.each(['Spring Security', 'Application Load Balancer', 'API Gateway', 'oauth2-proxy'])(
    'is what a client for %s may have',
    async (name) => {
      const allowed = await findAllowedScopes()
      const { text } = sectionOf(documentation, name)
      const asked = [...text.matchAll(/`(openid[ ,][\w ,]+)`/g)].map(([, scopes = '']) =>
        scopes.split(/[ ,]/),
      )
      expect(asked).toEqual(name === 'API Gateway' ? [] : [expect.arrayContaining(['openid', 'email'])])
      expect(asked.flat().filter((scope) => !allowed.includes(scope))).toEqual([])
      tested.set(name, 'settings, not run')
    },
  )

  it('is what a client for both versions of Auth.js may have', async () => {
    const allowed = await findAllowedScopes()
    const { blocks } = sectionOf(documentation, 'Auth.js and next-auth')
    const providers = await Promise.all(
      blocks.map(
        async ({ text }) => (await import(`data:text/javascript,${encodeURIComponent(text)}`)).latchkey,
      ),
    )
    expect(providers.map(({ type }) => type)).toEqual(['oidc', 'oauth'])
    for (const { id, checks, authorization } of providers) {
      expect([id, checks]).toEqual(['latchkey', ['pkce', 'state', 'nonce']])
      // Without a setting, version 5 asks for the same.
      const { scope = 'openid profile email' } = authorization?.params ?? {}
      expect(scope.split(' ').filter((name: string) => !allowed.includes(name))).toEqual([])
    }
    tested.set('Auth.js and next-auth', 'settings, not run')
  })
})

it('the page says which examples run here, and of which only the settings are compared', () => {
  const rows = [
    ...sectionOf(documentation, 'Libraries and gateways').text.matchAll(
      /^\| \[([^\]]+)\]\(#.*\| (runs|settings, not run(?= \(.*\d)).*\|$/gm,
    ),
  ]
  expect(new Map(rows.map(([, name = '', column]) => [name, column]))).toEqual(tested)
})

it('the page names every switch for plain HTTP, and when to remove it', () => {
  const { text, blocks } = sectionOf(documentation, 'Libraries and gateways')
  const switches = blocks.flatMap(
    ({ text: code }) => code.match(/allowInsecureRequests|AUTHLIB_INSECURE_TRANSPORT/g) ?? [],
  )
  expect(new Set(switches).size).toBe(2)
  for (const name of new Set(switches)) expect(text).toContain(`\`${name}\``)
  expect(text).toMatch(/Remove them where your issuer begins with `https`/)
})
