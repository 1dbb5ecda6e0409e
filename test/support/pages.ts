import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Json } from './client.ts'

/** A page of the service in a browser of its own, with the actions of a person. */
export interface BrowserPage {
  readonly page: Page
  readonly fill: (fields: Readonly<Record<string, string>>) => Promise<void>
  readonly press: (name: string) => Promise<void>
  readonly state: Locator
  readonly problem: Locator
  readonly heading: () => Promise<string>
}

/** Opens a browser without cookies. An error in a script of the page fails the test. */
export const openPage = async (
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<BrowserPage> => {
  const page = await (await browser.newContext(options)).newPage()
  // A page loads within a second, but a busy machine may need many.
  page.setDefaultTimeout(30_000)
  page.on('pageerror', (error) => expect.unreachable(error.message))
  page.on('console', (message) => {
    // The content security policy of the page blocked something.
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

/** Returns the text, the name or the ID of the focused element. */
export const getFocused = (page: Page): Promise<string> =>
  page.evaluate(
    "document.activeElement.name || document.activeElement.textContent.trim() || document.activeElement.id || 'nothing'",
  )

/** Keeps the next request to an address from the service. Returns the function that lets it pass. */
export const holdRequest = async (page: Page, address: string): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, (route) => promise.then(() => route.continue()), { times: 1 })
  return resolve
}

/** Does what makes a page save a file. Returns the name and the text of the file. */
export const saveFile = async (
  page: Page,
  act: () => Promise<unknown>,
): Promise<{ readonly name: string; readonly text: string }> => {
  // Longer than the act may take, so that a failure names the one that did not end.
  const [file] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), act()])
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

/** Reads a file in JSON Lines. */
export const parseLines = (text: string): Json[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
