import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, firefox } from 'playwright-core'
import { browserEnvironment } from './fonts.ts'

/** What the system of the user asks web pages for. */
export interface SystemLook {
  readonly colorScheme?: 'light' | 'dark'
  readonly forcedColors?: boolean
  readonly reducedMotion?: boolean
}

/**
 * Starts Firefox from the path in `FIREFOX`, without requests of its own. Playwright can't emulate media features in
 * it, so that the look of the system is chosen here, once for all pages.
 */
export const launchFirefox = ({
  colorScheme = 'light',
  forcedColors = false,
  reducedMotion = false,
}: SystemLook = {}): Promise<Browser> =>
  firefox.launch({
    channel: 'moz-firefox',
    executablePath: fileURLToPath(new URL('./firefox/relay.ts', import.meta.url)),
    env: {
      ...browserEnvironment,
      // The relay is a script for this version of Node.
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
      FIREFOX_COLOR_SCHEME: colorScheme,
    },
    firefoxUserPrefs: {
      'layout.css.prefers-color-scheme.content-override': colorScheme === 'dark' ? 0 : 1,
      'ui.prefersReducedMotion': reducedMotion ? 1 : 0,
      'ui.useAccessibilityTheme': forcedColors ? 1 : 0,
      'browser.display.document_color_use': forcedColors ? 2 : 1,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      'browser.safebrowsing.downloads.remote.enabled': false,
    },
  })
