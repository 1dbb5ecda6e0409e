import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { findOverflow } from './looks.ts'

/** The window of a desktop with 1280 x 1024 pixels at 400 % zoom (WCAG 2.2, 1.4.10). */
const zoomed = { width: 320, height: 256 }

/** Lists elements that stay in place while the rest scrolls and cover more than half of the window. */
const findCovers = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll('body *')].filter((element) => {
    const { position } = getComputedStyle(element)
    const isDialog = element.closest('dialog, [role=dialog], [role=alertdialog]')
    const { height } = element.getBoundingClientRect()
    return ['fixed', 'sticky'].includes(position) && !isDialog && height > innerHeight / 2
  }).map((element) => element.outerHTML.slice(0, 200))`)

/** Lists texts that are cut off because their element has a fixed size. */
const findCutTexts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`[...document.querySelectorAll('body *')].filter((element) => {
    const { overflowX, overflowY, textOverflow, clip, clipPath } = getComputedStyle(element)
    const isForScreenReaders = clip !== 'auto' || clipPath !== 'none'
    const isCut = (overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1 && textOverflow === 'clip')
      || (overflowY === 'hidden' && element.scrollHeight > element.clientHeight + 1)
    return isCut && !isForScreenReaders && element.checkVisibility() && element.textContent.trim() !== ''
  }).map((element) => element.outerHTML.slice(0, 200))`)

/**
 * Checks the page as it is now at 400 % zoom, and with the browser's font twice as large on a phone (WCAG 2.2, 1.4.4):
 * nothing sticks out sideways, nothing is cut off, and nothing stays in front of most of the page.
 */
export const checkEnlarged = async (page: Page, name: string): Promise<void> => {
  const viewport = page.viewportSize()
  const check = async (state: string) => {
    expect(await findOverflow(page), `${name} ${state} is too wide`).toEqual([])
    expect(await findCovers(page), `${name} ${state} is covered`).toEqual([])
    expect(await findCutTexts(page), `${name} ${state} is cut off`).toEqual([])
  }
  await page.setViewportSize(zoomed)
  await check('at 400 % zoom')
  await page.setViewportSize({ width: 375, height: 667 })
  await page.evaluate("document.documentElement.style.fontSize = '200%'")
  await check('with a large font')
  await page.evaluate("document.documentElement.style.fontSize = ''")
  if (viewport) await page.setViewportSize(viewport)
}
