import { type Browser, chromium } from 'playwright-core'
import { browserEnvironment } from './fonts.ts'

/** Starts Chromium from the path in `CHROMIUM`, without requests of its own and with the fonts of the tests. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    env: browserEnvironment,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-sync',
    ],
  })
