import { launchChromium } from './chromium.ts'
import { launchFirefox } from './firefox.ts'

/** The browsers that journeys run in, for `describe.each`. */
export const browsers = [
  ['Chromium', launchChromium],
  ['Firefox', launchFirefox],
] as const
