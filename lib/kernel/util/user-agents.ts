import { omitUndefined } from './object-fields.ts'

/** More specific names come first: Edge and Opera also contain `Chrome`, and Chrome contains `Safari`. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac(?:intosh| OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/** A browser and an operating system by known names. Undefined if they are unknown. */
export interface Device {
  readonly browser?: string | undefined
  readonly system?: string | undefined
}

/**
 * Recognizes a browser by known names only. A caller chooses the header freely, so none of its text may appear in an
 * email. Versions are left out, because an update does not make a new device.
 */
export const identifyDevice = (userAgent: string): Device => {
  const find = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  return omitUndefined({ browser: find(browsers), system: find(systems) })
}

/** Describes a browser in English, such as `Firefox on Windows`. */
export const describeUserAgent = (userAgent: string): string => {
  const { browser, system } = identifyDevice(userAgent)
  if (!browser) return system ? `an unknown program on ${system}` : 'an unknown program'
  return system ? `${browser} on ${system}` : browser
}
