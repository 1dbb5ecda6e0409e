import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach } from 'vitest'
import { listContexts } from '../support/shared-browser.ts'

/*
 * Test files of a worker share its browsers. This closes the contexts that a test opened after the test, and those that a file
 * opened after the file, so that no page runs beside the tests of others. A failure says what the pages showed.
 */
let contextsOfFile: ReadonlySet<unknown>
beforeEach(async () => {
  contextsOfFile = new Set(await listContexts())
})
afterEach(async ({ task }) => {
  const contexts = await listContexts()
  for (const error of task.result?.errors ?? [])
    error.stack = `${await describePages(contexts)}\n${error.stack}`
  await Promise.all(contexts.filter((one) => !contextsOfFile.has(one)).map((one) => one.close()))
})
afterAll(async () => {
  await Promise.all((await listContexts()).map((one) => one.close()))
})

const describePages = async (contexts: readonly BrowserContext[]): Promise<string> =>
  (await Promise.all(contexts.flatMap((context) => context.pages()).map(describePage))).join('\n')

const describePage = async (page: Page): Promise<string> => {
  const within = page.locator('dialog[open], main, body').first()
  const text = await within.innerText({ timeout: 5000 }).catch(() => 'nothing that could be read')
  const shown = text.replaceAll(/\s+/g, ' ').slice(0, 600)
  const focused = await page.evaluate<string>('document.activeElement?.outerHTML ?? ""').catch(() => '')
  // What a failure is often about, and what a long page shows below the part above.
  const notable = await page
    .locator('.alert, [aria-busy=true]')
    .allInnerTexts()
    .catch(() => [])
  return `${page.url()} showed: ${shown}
Alerts, and buttons at work: ${notable.join(' | ').slice(0, 400)}
The focus was on: ${focused.slice(0, 200)}`
}
