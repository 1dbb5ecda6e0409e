import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addNativeApp, buildAuthorization, createPkce } from '../support/oidc.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { shareBrowser } from '../support/shared-browser.ts'
import { type Transfer, watchTransfers } from '../support/transfers.ts'
import { useService } from '../support/use-service.ts'

/*
 * On a slow network, requests cost more than bytes, and each request for a file runs a function of the service. The service has a name
 * that passkeys work on, so the sign-in page asks for a challenge.
 */

const service = await useService({}, { hostname: 'localhost' })
const browser = await shareBrowser()

const open = async (locale: string): Promise<BrowserPage & { read: () => readonly Transfer[] }> => {
  const opened = await openPage(browser, { locale })
  return { ...opened, read: await watchTransfers(opened.page) }
}

const settle = async (page: Page, path: string): Promise<void> => {
  await page.goto(service.url + path, { waitUntil: 'networkidle' })
}

const isFile = ({ path }: Transfer): boolean => path.startsWith('/assets/')
const addUp = (transfers: readonly Transfer[]): number =>
  transfers.reduce((sum, { bytes }) => sum + bytes, 0) / 1024

describe.each(['en', 'ja', 'ar'])('in %s', (locale) => {
  it('a cold sign-in page is its document, one script, one style and one call, with at most 51 KiB', async () => {
    const { page, read } = await open(locale)
    await settle(page, '/')
    const transfers = read()
    process.stdout.write(`Cold sign-in page, ${locale}: ${addUp(transfers).toFixed(1)} KiB\n`)
    expect(transfers.map(({ path }) => path.replace(/^(\/assets\/\w+).*/, '$1')).toSorted()).toEqual([
      '/',
      '/api/2/auth/passkeys/options',
      '/assets/css',
      '/assets/js',
    ])
    expect(addUp(transfers)).toBeLessThanOrEqual(51)
    expect(await page.getAttribute('html', 'lang')).toBe(locale)

    // Someone who comes back has the files.
    await settle(page, '/')
    expect(addUp(read().filter(isFile))).toBe(0)
  })

  it('each other public page takes at most 20 KiB more, and the set-up by a company 23', async () => {
    const { page, read } = await open(locale)
    await settle(page, '/')
    read()
    const paths = [
      '/sign-up',
      '/reset',
      '/secure',
      '/confirm',
      '/link',
      '/invite',
      '/setup',
      '/device',
      '/unknown',
    ]
    for (const path of paths) {
      await settle(page, `${path}#token=unknown`)
      const transfers = read()
      const hasOwnScript = path === '/setup'
      expect(hasOwnScript || addUp(transfers.filter(isFile)) === 0, path).toBe(true)
      expect(addUp(transfers), path).toBeLessThanOrEqual(hasOwnScript ? 23 : 20)
    }
  })

  it('the questions after a sign-in take at most 20 KiB more', async () => {
    const ada = await addPerson(service, {})
    const redirect_uri = 'http://127.0.0.1:49201/callback'
    const app = await addNativeApp(service, { name: `Cutting Room ${locale}` })
    const query = buildAuthorization(app, createPkce().challenge, { redirect_uri })
    const { page, read } = await open(locale)
    await settle(page, `/oauth2/authorize?${query}`)
    read()
    await page.locator('input[autocomplete^=username]').fill(ada.user.username)
    await page.locator('input[type=password]').fill(ada.password)
    await page.locator('button[type=submit]').click()
    await page.locator('button[value=continue]').waitFor()
    const transfers = read()
    expect(transfers.filter(isFile)).toEqual([])
    expect(addUp(transfers)).toBeLessThanOrEqual(20)
  })
})

it('a person completes a sign-in with a new password and no file but the dictionary', async () => {
  const ada = await addPerson(service, { password_change_required: true })
  const { page, read, fill, press, heading, state } = await open('en')
  await settle(page, '/')
  read()
  await fill({ 'Username or email': ada.user.username, Password: ada.password })
  await press('Sign in')
  await expect.poll(heading).toBe('Choose a new password')
  await fill({ 'New password': 'seventeen quiet herons' })
  await state.getByText('Strength').waitFor()
  const files = read().filter(isFile)
  expect(files.map(({ path }) => path.replace(/^.*\/([a-z-]+)-\w+\.js$/, '$1'))).toEqual([
    'estimate-strength',
  ])
})
