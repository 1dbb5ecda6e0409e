import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type * as typedClient from '../../lib/client/index.ts'
import { type LoopbackServer, listenOnLoopback } from '../support/listen-on-loopback.ts'
import { endServices, type LocalService, startService } from '../support/local-service.ts'
import { shareBrowser } from '../support/shared-browser.ts'

/** What a page of a product finds out with the client. */
interface Findings {
  readonly username: string
  readonly groups: readonly string[]
  readonly missing: string | undefined
  readonly hasRequestId: boolean
  readonly ends: number
}
declare const latchkey: typeof typedClient

let folder: string
let product: LoopbackServer
let service: LocalService
const browser = await shareBrowser()
let page: Page
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: ['lib/client/index.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'latchkey',
  })
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Product</title><script>${outputFiles[0]?.text}</script>`)
  })
  product = await listenOnLoopback(server)
  folder = mkdtempSync(join(tmpdir(), 'latchkey-product-'))
  service = await startService({ ALLOWED_ORIGINS: product.url, DATA_DIR: folder })
  page = await browser.newPage()
  await page.goto(product.url)
})
afterAll(async () => {
  await endServices()
  await product.close()
  rmSync(folder, { recursive: true })
})

it('signs in, reads lists and sees errors from a page of another origin', async () => {
  const [, password = ''] = /password (\S+)/.exec(service.stdout()) ?? []
  const findings = await page.evaluate(
    async ({ baseUrl, password }): Promise<Findings> => {
      let ends = 0
      const client = latchkey.createClient({ baseUrl, onSessionEnd: () => ends++ })
      const { user, session_key: credential } = await client.signIn({ username: 'admin', password })
      for (const name of ['Archive', 'Color', 'Editors']) await client.groups.createGroup({ name })
      const groups: string[] = []
      for await (const { name } of client.groups.iterateGroups({ ordering: 'name', limit: 2 }))
        groups.push(name)
      const error: unknown = await client.users.getUser(999).catch((thrown: unknown) => thrown)
      const isMissing = latchkey.isLatchkeyError(error, 'not_found')
      await client.sessions.logout({ credential })
      await client.users.getCurrentUser().catch(() => undefined)
      return {
        username: user.username,
        groups,
        missing: isMissing ? error.code : undefined,
        hasRequestId: isMissing && error.requestId !== undefined,
        ends,
      }
    },
    { baseUrl: service.url, password },
  )
  expect(findings).toEqual({
    username: 'admin',
    groups: ['Archive', 'Color', 'Editors'],
    missing: 'not_found',
    hasRequestId: true,
    ends: 1,
  })
})

it('cannot use the session cookie from a page of another origin', async () => {
  const [, password = ''] = /password (\S+)/.exec(service.stdout()) ?? []
  const context = await browser.newContext()
  const data = { username: 'admin', password }
  expect((await context.request.post(`${service.url}/api/2/auth/login`, { data })).status()).toBe(200)
  expect((await context.request.get(`${service.url}/api/2/users/me`)).status()).toBe(200)
  const productPage = await context.newPage()
  await productPage.goto(product.url)
  const read = (credentials: 'include' | 'omit') =>
    productPage.evaluate(
      ([url, given]) =>
        fetch(url, { credentials: given }).then(
          ({ status }) => status,
          ({ name }: Error) => name,
        ),
      [`${service.url}/api/2/users/me`, credentials] as const,
    )
  expect(await read('omit')).toBe(401)
  expect(await read('include')).toBe('TypeError')
  await context.close()
})
