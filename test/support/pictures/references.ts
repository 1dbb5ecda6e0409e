import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { expect } from 'vitest'
import { comparePictures } from './compare-pictures.ts'
import { encodePalettePng } from './palette-png.ts'

const folder = 'test/browser/references'
/** Pictures of what differs, for people. They are not part of the project. */
const differencesFolder = 'test/browser/differences'

/** The part of the content that may look different. A missing label is more, letters moved by half a pixel are less. */
const tolerance = 0.02

/** The height of a picture. More of a long list would show nothing new. */
const mostPixels = 1600

const isUpdating = process.env['UPDATE_REFERENCES'] !== undefined

/**
 * Compares the page with the reference of this name. With the environment variable `UPDATE_REFERENCES`, a
 * different or missing reference is replaced instead.
 */
export const compareWithReference = async (
  page: Page,
  name: string,
  mask: readonly Locator[] = [],
): Promise<void> => {
  const pageHeight = await page.evaluate<number>('document.documentElement.scrollHeight')
  const { width = 0 } = page.viewportSize() ?? {}
  const screenshot = await page.screenshot({
    fullPage: true,
    clip: { x: 0, y: 0, width, height: Math.min(pageHeight, mostPixels) },
    animations: 'disabled',
    caret: 'hide',
    mask: [...mask],
    maskColor: '#808080',
  })
  const actual = PNG.sync.read(screenshot)
  const path = join(folder, `${name}.png`)
  const comparison = existsSync(path) && comparePictures(PNG.sync.read(readFileSync(path)), actual)
  if (comparison && comparison.share <= tolerance) return
  if (isUpdating) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path, encodePalettePng(actual))
    return
  }
  const difference = join(differencesFolder, `${name}.png`)
  mkdirSync(differencesFolder, { recursive: true })
  writeFileSync(difference, comparison ? comparison.illustration() : screenshot)
  const share = comparison ? `${(comparison.share * 100).toFixed(2)} % of it look different` : 'it is new'
  expect.unreachable(`${name} is not the reference: ${share}. See ${difference}.`)
}
