import { createHash, randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { readCatalogues } from '../../build/pages/read-catalogues.ts'
import { messagesVersion } from '../../lib/features/pages/app.prebuilt.ts'
import { app } from '../../lib/features/pages/app-build.prebuilt.ts'
import {
  type Language,
  languages,
  nameMessageFile,
  nameScriptFolder,
} from '../../lib/kernel/i18n/languages.ts'
import { makeIdp } from '../support/idp.ts'
import { addLink, redeem } from '../support/links.ts'
import { addSignedIn, type SignedInPerson } from '../support/people.ts'
import { addProvider } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

const catalogues = await readCatalogues()
const service = await useService({
  ALLOWED_ORIGINS: 'https://cinema.example,https://shop.example',
  LINK_URL: 'Cinema=https://cinema.example/shared/{id}',
})
const idp = await makeIdp()
for (const name of ['Zebra', 'alpha', 'Hidden'])
  await addProvider(service, idp, {
    name,
    entity_id: `https://${name.toLowerCase()}.example/`,
    disabled_in_client: name === 'Hidden',
  })

it.each(['/', '/reset', '/secure', '/confirm', '/link'])(
  'the policy of the page at %s allows scripts of the service and its own style only',
  async (path) => {
    const page = await service.client('GET', path, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|\*|http/)
    const [, style = '', ...others] = /<style>(.*?)<\/style>/s.exec(page.text) ?? []
    expect(others).toEqual([])
    const hash = createHash('sha256').update(style).digest('base64')
    const rules = policy.split('; ').filter((rule) => /^(script|style)/.test(rule))
    expect(rules).toEqual(["script-src 'self'", `style-src 'self' 'sha256-${hash}'`])
    expect(page.text.match(/<script[^>]*>[^<]+/)).toBeNull()
    expect(page.text).not.toMatch(/ on\w+=| style=/)
  },
)

it.each(languages)(
  'pages show their brand and that they load in %s before a script runs',
  async (language) => {
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    for (const path of ['/', '/reset', '/setup', '/account', '/organization', '/admin']) {
      const options = ['/account', '/organization', '/admin'].includes(path) ? { bearer } : {}
      const page = await service.client('GET', `${path}?ui_locales=${language}`, options)
      const [, shown = ''] = /<div id="app"[^>]*>(.*?)<script/s.exec(page.text) ?? []
      expect(shown.match(/class="brand"><span>([^<]*)</)?.[1], path).toBe('Latchkey')
      const [, shownIn = ''] = /<html lang="(\w+)"/.exec(page.text) ?? []
      const { start } = catalogues[shownIn as Language]
      expect(shown, path).toContain(`<p class="start-text">${start.loading}</p>`)
      expect(shown, path).toContain(`<p class="start-text late">${start.loadingSlowly}</p>`)
      expect(shown, path).toContain(`<p>${start.needsScript}</p></noscript>`)
    }
  },
)

describe('the sign-in page', () => {
  const readData = async (path = '/', headers: Readonly<Record<string, string>> = {}) => {
    const { text } = await service.client('GET', path, { headers })
    const [, data = '{}'] = /data-page="([^"]*)"/.exec(text) ?? []
    return JSON.parse(data.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  }

  it('names where it leads to, and refuses everything else', async () => {
    const targetOf = async (returnTo: string) =>
      (await readData(`/?return_to=${encodeURIComponent(returnTo)}`)).returnTarget
    expect(await targetOf('https://cinema.example/cart')).toEqual({ name: 'Cinema', isExternal: true })
    expect(await targetOf('https://shop.example/')).toEqual({ name: 'shop.example', isExternal: true })
    expect(await targetOf('/account')).toMatchObject({ isExternal: false })
    for (const refused of [
      'https://evil.example/',
      '//evil.example',
      '',
      'javascript:alert(1)',
      'x'.repeat(5000),
    ])
      expect(await targetOf(refused)).toBe('refused')
    expect((await readData()).returnTarget).toBeNull()
  })

  it('offers the console to people whose groups have a permission of it, and to no others', async () => {
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const addGroup = async (permission: string): Promise<number> => {
      const body = { name: randomUUID(), permissions: [permission] }
      return (await service.client('POST', '/api/2/groups', { bearer: admin.bearer, body })).body.id
    }
    const viewers = await addGroup('users:view')
    const others = await addGroup('media:access')
    const isOffered = async ({ bearer }: SignedInPerson): Promise<boolean> =>
      (await readData('/', { cookie: `latchkey=${bearer}` })).canAdminister
    expect(await isOffered(admin)).toBe(true)
    expect(await isOffered(await addSignedIn(service, { groups: [viewers, others] }))).toBe(true)
    expect(await isOffered(await addSignedIn(service, { groups: [others] }))).toBe(false)
    const viewer = await addSignedIn(service, { groups: [viewers], permissions: ['media:access'] })
    const link = await addLink(service, viewer.bearer, { user: viewer.user.id })
    const opened = await redeem(service, link.token, { bearer: viewer.bearer })
    expect(await isOffered({ ...viewer, bearer: opened.body.session_key })).toBe(false)
    expect((await readData()).canAdminister).toBe(false)
  })

  it('names the visible providers in order of name', async () => {
    expect((await readData()).providers.map(({ name }: { name: string }) => name)).toEqual(['alpha', 'Zebra'])
  })
})

it('a page ignores its query and rejects clients that only accept JSON', async () => {
  const [plain, tagged] = [
    await service.client('GET', '/reset'),
    await service.client('GET', '/reset?utm_source=x'),
  ]
  expect(tagged.status).toBe(200)
  expect(tagged.text).toBe(plain.text)
  expect((await service.client('GET', '/', { headers: { accept: 'application/json' } })).status).toBe(406)
})

describe('a script of the pages', () => {
  const { publicScript } = app.assets
  const folderOf = (language: string) => nameScriptFolder(language, messagesVersion)
  const get = (folder: string, name: string) => service.client('GET', `/assets/js/${folder}/${name}`)

  it('has the messages of the language of its folder', async () => {
    const texts = await Promise.all(
      languages.map(async (language) => (await get(folderOf(language), publicScript.name)).text),
    )
    expect(new Set(texts).size).toBe(languages.length)
    for (const [at, language] of languages.entries())
      expect(texts[at]).toContain(app.assets.messages[language]?.['signIn'])
  })

  it('is kept by browsers, with all messages of its folder', async () => {
    for (const name of [publicScript.name, nameMessageFile('account')]) {
      const { status, headers } = await get(folderOf('de'), name)
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
    }
  })

  it.each([
    ['an unknown language', folderOf('xx'), publicScript.name],
    ['a built-in member', folderOf('__proto__'), publicScript.name],
    ['another version', 'de-00000000', publicScript.name],
    ['no version', 'de', publicScript.name],
    ['an unknown script', folderOf('de'), 'unknown.js'],
    ['a built-in member as its name', folderOf('de'), 'constructor'],
    ['messages that its language lacks', folderOf('ar'), nameMessageFile('console')],
    ['messages with a built-in name', folderOf('ar'), nameMessageFile('__proto__')],
  ])('is not found with %s', async (_, folder, name) => {
    const { status, headers, body } = await get(folder, name)
    expect([status, body.code, headers.get('cache-control')]).toEqual([404, 'not_found', 'no-store'])
  })
})
