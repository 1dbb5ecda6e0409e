import { type Browser, chromium } from 'playwright-core'
import { browserEnvironment } from './fonts.ts'

/**
 * What Playwright turns off. Chromium reads only the last of several lists, so that ours contains these as well.
 */
const turnedOffByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/**
 * Pages of the address bar, which Chromium loads for each window, also without a screen. They take five times as long as
 * a window.
 */
const addressBarPages = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup']

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
      `--disable-features=${[...turnedOffByPlaywright, ...addressBarPages].join()}`,
    ],
  })
