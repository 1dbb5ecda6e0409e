import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, firefox } from 'playwright-core'
import { browserEnvironment } from './fonts.ts'

/**
 * Starts Firefox from the path in `FIREFOX`, without requests of its own. Playwright can't emulate media features in it, so that
 * all pages have a dark system with reduced motion.
 */
export const launchFirefox = (): Promise<Browser> =>
  firefox.launch({
    channel: 'moz-firefox',
    executablePath: fileURLToPath(new URL('./firefox/relay.ts', import.meta.url)),
    env: {
      ...browserEnvironment,
      // The relay is a script for this version of Node.
      PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
    },
    firefoxUserPrefs: {
      'layout.css.prefers-color-scheme.content-override': 0,
      'ui.prefersReducedMotion': 1,
      // The list of downloads would take the focus.
      'browser.download.alwaysOpenPanel': false,
      'network.captive-portal-service.enabled': false,
      'network.connectivity-service.enabled': false,
      'browser.safebrowsing.downloads.remote.enabled': false,
    },
  })
