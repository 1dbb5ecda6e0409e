import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { createClient } from '../../lib/client/index.ts'
import { endServices, startService } from '../support/local-service.ts'

/* Writes the pictures of the README from the real pages: `npm run pictures`. They use the font Inter, which Debian has as fonts-inter. */

const folder = 'docs/pictures'
const password = 'violin harbor mustard'
const people = [
  ['ada', 'Ada Lovelace', 'Editors'],
  ['alan', 'Alan Turing', 'Editors'],
  ['barbara', 'Barbara Liskov', 'Producers'],
  ['chien', 'Chien-Shiung Wu', 'Producers'],
  ['dorothy', 'Dorothy Vaughan', 'Sound'],
  ['edsger', 'Edsger Dijkstra', 'Sound'],
  ['emmy', 'Emmy Noether', 'Editors'],
  ['grace', 'Grace Hopper', 'Producers'],
  ['hedy', 'Hedy Lamarr', 'Sound'],
  ['katherine', 'Katherine Johnson', 'Editors'],
  ['radia', 'Radia Perlman', 'Producers'],
  ['sofia', 'Sofia Kovalevskaya', 'Editors'],
] as const

/** Fills a new service as a small product does. Returns the address of an access link. */
const fill = async (url: string): Promise<string> => {
  const open = createClient({ baseUrl: url })
  const { session_key: bearer } = await open.sessions.login({ username: 'admin', password })
  const admin = createClient({ baseUrl: url, credential: bearer ?? '' })
  await admin.branding.patchBranding({ product_name: 'Nordlicht Films' })
  let address = ''
  const groups = new Map<string, number>()
  for (const name of ['Editors', 'Producers', 'Sound'])
    groups.set(name, (await admin.groups.createGroup({ name, permissions: [] })).id)
  for (const [username, full_name, group] of people) {
    const email = `${username}@nordlicht.example`
    const ids = [groups.get(group) ?? 0]
    const permissions = username === 'grace' ? ['media:access'] : []
    const { id } = await admin.users.createUser({ username, email, full_name, permissions, groups: ids })
    await admin.passwords.setUserPassword(id, { password, password_change_required: false })
    const signedIn = await open.sessions.login({ username, password })
    const person = createClient({ baseUrl: url, credential: signedIn.session_key ?? '' })
    await person.users.getCurrentUser()
    if (username !== 'grace') continue
    const link = await person.accessLinks.createAccessToken({
      bundles: [
        { id: 7, name: 'Aurora, final cut', root: 1, path: '/aurora/final-cut.mov' },
        { id: 8, name: 'Aurora, trailer', root: 1, path: '/aurora/trailer.mov' },
      ],
      directories: [{ id: 9, name: 'Stills', root: 1, path: '/aurora/stills' }],
    })
    address = link.full_url ?? ''
  }
  return address
}

type ColorScheme = 'light' | 'dark'

/** A page in the picture: its size in the browser, its place and width in the picture, and how it is opened. */
interface Part {
  readonly size: readonly [width: number, height: number]
  readonly place: readonly [left: number, top: number, width: number]
  readonly open: (page: Page) => Promise<unknown>
}

const listParts = (url: string, link: string): readonly Part[] => [
  {
    size: [1280, 860],
    place: [362, 24, 976],
    open: async (page) => {
      await page.request.post(`${url}/api/2/auth/login`, { data: { username: 'admin', password } })
      await page.goto(`${url}/admin#/users`)
      await page.getByText('Ada Lovelace').first().waitFor()
    },
  },
  {
    size: [400, 625],
    place: [20, 96, 326],
    open: async (page) => {
      await page.goto(url)
      await page.getByLabel('Password', { exact: true }).waitFor()
    },
  },
  {
    size: [400, 490],
    place: [1354, 150, 326],
    open: async (page) => {
      await page.goto(link)
      await page.getByText('Aurora, trailer').waitFor()
    },
  },
]

const takePart = async (browser: Browser, colorScheme: ColorScheme, part: Part): Promise<string> => {
  const [width, height] = part.size
  const [left, top, shownWidth] = part.place
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    // The policy of the pages allows no foreign style, and the font is one.
    bypassCSP: true,
    deviceScaleFactor: 2,
  })
  const page = await context.newPage()
  await part.open(page)
  await page.addStyleTag({ content: '* { font-family: Inter, sans-serif !important }' })
  await page.waitForLoadState('networkidle')
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  await context.close()
  return `<img style="left: ${left}px; top: ${top}px; width: ${shownWidth}px" src="data:image/png;base64,${picture.toString('base64')}">`
}

const writePicture = async (
  browser: Browser,
  parts: readonly Part[],
  colorScheme: ColorScheme,
): Promise<void> => {
  const shown: string[] = []
  for (const part of parts) shown.push(await takePart(browser, colorScheme, part))
  const viewport = { width: 1700, height: 704 }
  const page = await (await browser.newContext({ viewport, colorScheme })).newPage()
  await page.setContent(`<!doctype html><style>
    body { margin: 0; background: #e8eefb }
    img { position: absolute; border-radius: 12px; box-shadow: 0 0 0 1px #0002, 0 12px 24px #0002 }
    @media (prefers-color-scheme: dark) {
      body { background: #0b1020 }
      img { box-shadow: 0 0 0 1px #fff3, 0 12px 24px #0008 }
    }
  </style>${shown.join('')}`)
  writeFileSync(join(folder, `overview-${colorScheme}.png`), await page.screenshot())
}

const { url } = await startService({ DATA_DIR: ':memory:', ADMIN_PASSWORD: password })
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell'
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const parts = listParts(url, await fill(url))
  for (const colorScheme of ['light', 'dark'] as const) await writePicture(browser, parts, colorScheme)
} finally {
  await browser.close()
  await endServices()
}
