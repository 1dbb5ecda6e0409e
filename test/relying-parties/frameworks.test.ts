import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findFreePortPair } from '../../local/ports.ts'
import { blocksOf, sectionOf } from '../docs/markdown.ts'
import { listCalls } from '../docs/reference-calls.ts'
import { commandsOf } from '../docs/shell-commands.ts'
import { openTerminal, type Terminal } from '../package/terminal.ts'
import { launchChromium } from '../support/chromium.ts'
import { adminPassword, type LocalLatchkey, startLatchkey } from './latchkey.ts'

/*
 * The pages of docs/frameworks, from an empty folder to a person who signs in to the product and out again. Only ports differ. The person
 * presses at Latchkey only what the page names.
 */

let latchkey: LocalLatchkey
let chromium: Browser
beforeAll(async () => {
  ;[latchkey, chromium] = await Promise.all([startLatchkey(), launchChromium()])
})
afterAll(async () => {
  await chromium?.close()
  await latchkey?.close()
})

/** What a person types for what a page says here, by a pattern of the command. */
const adaptations: readonly (readonly [RegExp, string])[] = [
  [/'the password that npm start printed'/g, `'${adminPassword}'`],
  [/^npm install /gm, 'npm install --prefer-offline --no-audit --no-fund '],
  // Debian has the packages of Python. They are those of the page.
  [/^python3 -m venv/gm, '/usr/bin/python3 -m venv --without-pip --system-site-packages'],
  [
    /^\.venv\/bin\/pip install Flask Authlib requests$/gm,
    ".venv/bin/python3 -c 'import flask, authlib, requests'",
  ],
  [/^npx next /gm, 'NEXT_TELEMETRY_DISABLED=1 npx next '],
]

/** Types the commands of a page, and saves its files. Returns the address of the product. */
const follow = async (name: string, folder: string, terminal: Terminal): Promise<string> => {
  const port = await findFreePortPair()
  const adapt = (text: string): string =>
    adaptations
      .reduce((adapted, [pattern, typed]) => adapted.replaceAll(pattern, typed), text)
      .replaceAll('http://localhost:3000', latchkey.url)
      .replaceAll('8080', String(port))
  for (const { options, text } of blocksOf(`docs/frameworks/${name}.md`)) {
    if (!options.has('walk')) continue
    const file = options.get('file')
    if (file) {
      const path = join(folder, 'my-product', file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, adapt(text))
    } else if (options.has('background'))
      await terminal.start(adapt(text), new RegExp(`ready|Running on http://localhost:${port}`, 'i'))
    else for (const command of commandsOf(text)) await terminal.run(adapt(command.text))
  }
  return `http://localhost:${port}`
}

/** The user who signs in, and what they press at Latchkey afterwards, as the page says it. */
const readSteps = (name: string) => {
  const { text } = sectionOf(`docs/frameworks/${name}.md`, '4. Start it')
  const [, username = ''] = /sign in as `(\w+)`/.exec(text) ?? []
  return { username, pressed: [...text.matchAll(/press “([^”]+)”/g)].map(([, button = '']) => button) }
}

const press = (page: Page, name: string, role: 'button' | 'link' = 'button') =>
  page.getByRole(role, { name, exact: true }).click()

/** What the product offers to those who are signed in. */
const useProduct: Readonly<Record<string, (page: Page, url: string) => Promise<void>>> = {
  express: (page, url) => openFilms(page, url),
  python: (page, url) => openFilms(page, url),
  nextjs: async (page, url) => {
    await openPrivatePage(page, url)
    await signInForOrganization(page, url)
  },
  'single-page-app': async (page) => {
    await press(page, 'Call an API')
    await page.getByText('"preferred_username": "admin"').waitFor()
  },
}

const openFilms = async (page: Page, url: string): Promise<void> => {
  await press(page, 'Films', 'link')
  await page.getByText('Nosferatu').waitFor()
  const answer = await fetch(`${url}/films`)
  expect([answer.status, await answer.json()]).toEqual([401, { error: 'Sign in first.' }])
  await page.goto(url)
}

/** Only the server keeps others out. */
const openPrivatePage = async (page: Page, url: string): Promise<void> => {
  await press(page, 'Private page', 'link')
  await page.getByText('Only for admin', { exact: true }).waitFor()
  const answer = await fetch(`${url}/private`, { redirect: 'manual' })
  expect([answer.status, answer.headers.get('location')]).toEqual([307, '/'])
  expect(await answer.text()).not.toContain('Only for')
  await page.goto(url)
}

/** Leaves the product, and comes back for an organization. */
const signInForOrganization = async (page: Page, url: string): Promise<void> => {
  await press(page, 'Sign out')
  await page.getByText('Sign in', { exact: true }).waitFor()
  await page.goto(`${url}/?organization=acme-studios`)
  await press(page, 'Sign in')
  await page.getByLabel('Username or email').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(adminPassword)
  await press(page, 'Sign in')
  await page.getByText('Organization: Acme Studios', { exact: true }).waitFor()
}

it('Python reads each call that the reference shows', () => {
  const calls = [...listCalls('python').values()]
  const script = 'import ast, json, sys\nfor text in json.load(sys.stdin): ast.parse(text)'
  expect(calls.length).toBeGreaterThan(200)
  execFileSync('/usr/bin/python3', ['-c', script], { input: JSON.stringify(calls) })
})

it('each page is walked: the page for the CDK by the test of the package', () => {
  const pages = readdirSync('docs/frameworks').map((name) => name.replace('.md', ''))
  expect(pages.toSorted()).toEqual(['README', 'cdk', ...Object.keys(useProduct)].toSorted())
})

it.each(Object.keys(useProduct))(
  'a person signs in to the product of the page for %s, and out',
  async (name) => {
    const folder = mkdtempSync(join(tmpdir(), `latchkey-${name}-`))
    const terminal = openTerminal(folder)
    const context = await chromium.newContext()
    try {
      const url = await follow(name, folder, terminal)
      const page = await context.newPage()
      page.setDefaultTimeout(30_000)
      await page.goto(url)
      const signIn = page.getByText('Sign in', { exact: true })
      await signIn.click()
      const { username, pressed } = readSteps(name)
      await page.getByLabel('Username or email').fill(username)
      await page.getByLabel('Password', { exact: true }).fill(adminPassword)
      await press(page, 'Sign in')
      for (const button of pressed) await press(page, button)
      await page.getByText(`Hello ${username}`, { exact: true }).waitFor()
      await useProduct[name]?.(page, url)
      await press(page, 'Sign out')
      await signIn.waitFor()
      expect(new URL(page.url()).origin).toBe(url)
      expect((await context.request.get(`${latchkey.url}/api/2/users/me`)).status()).toBe(401)
    } finally {
      await context.close()
      await terminal.close()
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    }
  },
)
