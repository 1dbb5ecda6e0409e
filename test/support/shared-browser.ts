import type { Browser, BrowserContext } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { launchFirefox } from './firefox.ts'

const launchers = { Chromium: launchChromium, Firefox: launchFirefox }

export type BrowserName = keyof typeof launchers

/** The browsers of this process. Each test file evaluates this module anew, but the browsers keep running. */
const shared = globalThis as { testBrowsers?: Map<BrowserName, Promise<Browser>> }
shared.testBrowsers ??= new Map()
const running = shared.testBrowsers

/**
 * Returns a browser that all test files of this process use, because starting one takes longer than many a test. It ends with the
 * process. Each test opens contexts of its own, which `fresh-contexts.ts` closes.
 */
export const shareBrowser = async (name: BrowserName = 'Chromium'): Promise<Browser> => {
  const browser = await running.get(name)
  if (browser?.isConnected()) return browser
  const launched = launchers[name]()
  running.set(name, launched)
  return launched
}

/** Lists the open contexts of all shared browsers. */
export const listContexts = async (): Promise<readonly BrowserContext[]> =>
  (await Promise.all(running.values())).flatMap((browser) => browser.contexts())
