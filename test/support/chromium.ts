import { type Browser, chromium } from 'playwright-core'
import { browserEnvironment } from './fonts.ts'

/**
 * Starts Chromium without requests of its own and with the fonts of the tests. It is the one without windows, because that needs a
 * third less CPU time. `CHROMIUM` is the path of another one.
 */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
    env: browserEnvironment,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-sync',
      // Contexts share one process for their pages, and none draws in a process of its own: this saves a seventh of the CPU time.
      '--process-per-site',
      '--renderer-process-limit=1',
      '--in-process-gpu',
    ],
  })
