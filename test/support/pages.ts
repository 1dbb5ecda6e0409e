import type { Browser, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** A page of the service in a browser of its own, and how a person deals with it. */
export interface PersonsPage {
  readonly page: Page
  readonly fill: (fields: Readonly<Record<string, string>>) => Promise<void>
  readonly press: (name: string) => Promise<void>
  readonly state: Locator
  readonly problem: Locator
  readonly heading: () => Promise<string>
}

/** Opens a browser as of somebody new; a fault in a script of the page fails the test. */
export const openPage = async (
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<PersonsPage> => {
  const page = await (await browser.newContext(options)).newPage()
  page.setDefaultTimeout(10_000)
  page.on('pageerror', (error) => expect.unreachable(error.message))
  page.on('console', (message) => {
    // Whatever the policy of the page keeps from being shown or run.
    if (/Content.Security.Policy/.test(message.text())) expect.unreachable(message.text())
  })
  return {
    page,
    fill: async (fields) => {
      for (const [label, value] of Object.entries(fields))
        await page.getByLabel(label, { exact: true }).fill(value)
    },
    press: (name) => page.getByRole('button', { name, exact: true }).click(),
    state: page.getByRole('status'),
    problem: page.getByRole('alert'),
    heading: () => page.getByRole('heading', { level: 1 }).innerText(),
  }
}

/** What has the focus, as a person would call it. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.textContent.trim() || document.activeElement.id || 'nothing'")
