import type { Page } from 'playwright-core'
import { expect, it, vi } from 'vitest'
import { app } from '../../lib/features/pages/app-build.prebuilt.ts'
import { nameScriptFolder } from '../../lib/kernel/i18n/languages.ts'
import { signInBrowser } from '../support/account-pages.ts'
import type { buildChangedPages } from '../support/changed-pages.ts'
import { openPage } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { useService } from '../support/use-service.ts'

/* Tabs stay open for days. The service was updated twice since they were opened, and has the files of those two releases. */

type Release = ReturnType<typeof buildChangedPages>
const releases = await vi.hoisted(async () => {
  const { brotliCompressSync } = await import('node:zlib')
  const { buildChangedPages } = await import('../support/changed-pages.ts')
  const built = ['former', 'last'].map(buildChangedPages)
  const kept = built.map(({ assets }) => brotliCompressSync(JSON.stringify(assets)).toString('base64'))
  return { former: built[0], kept }
})
vi.mock('../../lib/features/pages/former-releases.prebuilt.ts', () => ({ formerReleases: releases.kept }))
const former = releases.former as Release

const service = await useService()
const browser = await shareBrowser()

/** Opens a page as the former release wrote it: with the names of its own files. */
const openFormer = async (page: Page, name: 'account' | 'admin', language: string): Promise<void> => {
  const [now, then] = [app.pages[name], former.pages[name]]
  await page.route(
    `${service.url}/${name}`,
    async (route) => {
      const response = await route.fetch()
      const body = (await response.text())
        .replaceAll(/<link rel="modulepreload"[^>]*>|<script type="module" async[^>]*><\/script>/g, '')
        .replaceAll(
          nameScriptFolder(language, app.assets.messagesVersion),
          nameScriptFolder(language, former.assets.messagesVersion),
        )
        .replace(now.script, then.script)
        .replace(now.stylesheet, then.stylesheet)
      await route.fulfill({ response, body })
    },
    { times: 1 },
  )
  await page.goto(`${service.url}/${name}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getAttribute('html', 'data-release')).toBe('former')
}

it('a person opens another section of the account page, and keeps what they typed', async () => {
  const { page, fill, state, heading } = await openPage(browser)
  await signInBrowser(service, { page }, await addPerson(service, {}))
  await openFormer(page, 'account', 'en')
  await page.evaluate('window.isSameTab = true')
  const openSection = async (section: string) => {
    await page.getByRole('link', { name: section, exact: true }).click()
    await expect.poll(heading).toBe(section)
  }
  await openSection('Password')
  // The dictionary is a file that a person needs while they type.
  await fill({ 'New password': 'seventeen quiet herons' })
  await state.getByText('Strength').waitFor()
  expect(await page.getByLabel('New password', { exact: true }).inputValue()).toBe('seventeen quiet herons')
  await openSection('Passkeys')
  expect(await page.evaluate('window.isSameTab')).toBe(true)
  expect(await page.getAttribute('html', 'data-release')).toBe('former')
  // The page that is loaded again is that of the service.
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getAttribute('html', 'data-release')).toBeNull()
})

it('an administrator opens other sections of the console in their language, and keeps their filter', async () => {
  const { page, heading } = await openPage(browser, { locale: 'de' })
  const admin = await addPerson(service, { permissions: ['system:admin-access'] })
  await signInBrowser(service, { page }, admin)
  await openFormer(page, 'admin', 'de')
  await page.evaluate('window.isSameTab = true')
  for (const [link, title] of [
    ['Gruppen', 'Gruppen'],
    ['Benutzer', 'Benutzer'],
  ] as const) {
    await page.getByRole('link', { name: link, exact: true }).click()
    await expect.poll(heading).toBe(title)
  }
  expect(await page.evaluate('window.isSameTab')).toBe(true)
})

it('the service has no file of a release before', async () => {
  const folder = nameScriptFolder('en', '00000000')
  const { status, body } = await service.client('GET', `/assets/js/${folder}/${former.pages.account.script}`)
  expect([status, body.detail]).toEqual([404, expect.stringContaining('Load the page again.')])
})
