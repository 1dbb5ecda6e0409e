import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { findViolations } from '../support/axe.ts'
import { type BrowserPage, openPage } from '../support/pages.ts'
import { addPerson } from '../support/people.ts'
import { startService, type TestService } from '../support/service.ts'
import { shareBrowser } from '../support/shared-browser.ts'

let service: TestService
const browser = await shareBrowser()
let visit: BrowserPage
beforeAll(async () => {
  service = await startService()
})
beforeEach(async () => {
  visit = await openLog()
})
afterAll(() => service.close())

const openLog = async (): Promise<BrowserPage> => {
  const opened = await openPage(browser)
  const { user, password } = await addPerson(service, { permissions: ['system:admin-access'] })
  const data = { username: user.username, password }
  await opened.page.request.post(`${service.url}/api/2/auth/login`, { data })
  await opened.page.goto(`${service.url}/admin#/audit-events`)
  await opened.page.getByRole('table').waitFor()
  return opened
}

const failSignIn = (username: string, userAgent: string) =>
  service.client('POST', '/api/2/auth/login', {
    body: { username, password: 'wrong' },
    headers: { 'user-agent': userAgent },
  })

it('shows events in words, with their details', async () => {
  await failSignIn('<img src=x onerror=alert(1)>', '<script>alert(2)</script>')
  const { page } = visit
  await page.getByLabel('Event').selectOption('Sign-in refused')
  await page.getByRole('button', { name: 'Sign-in refused' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('<script>alert(2)</script>').waitFor()
  await dialog.getByText('login.failed').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect.poll(() => dialog.count()).toBe(0)
  expect(page.url()).toContain('#/audit-events?event=login.failed')
})

it('keeps the filters in the address and takes them off again', async () => {
  const { page } = visit
  await page.getByLabel('ID of a user').fill('999999')
  await page.getByText('Nothing matches your search.').waitFor()
  await page.reload()
  await page.getByText('Nothing matches your search.').waitFor()
  await page.getByRole('button', { name: 'Reset search and filters' }).click()
  await page.getByRole('table').waitFor()
})

it('breaks reasons between their words on narrow screens', async () => {
  await failSignIn('unknown', 'a browser')
  const { page } = visit
  await page.setViewportSize({ width: 320, height: 568 })
  await page.reload()
  await page.getByText('invalid_credentials').first().waitFor()
  const brokenWords = await page.evaluate(`[...document.querySelectorAll('.tag')].flatMap((tag) => {
    const walker = document.createTreeWalker(tag, NodeFilter.SHOW_TEXT)
    const words = []
    while (walker.nextNode())
      for (const { index, 0: word } of walker.currentNode.data.matchAll(/[^_\\s]+_?/g)) {
        const range = document.createRange()
        range.setStart(walker.currentNode, index)
        range.setEnd(walker.currentNode, index + word.length)
        if (range.getClientRects().length > 1) words.push(word)
      }
    return words
  })`)
  expect(brokenWords).toEqual([])
})
