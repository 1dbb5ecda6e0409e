import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Windows of a phone, a tablet, and small laptops. The last one is a screen of 1366 × 768 with the bars of a browser. */
const windows = [
  { width: 360, height: 640 },
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
  { width: 1366, height: 625 },
] as const

/**
 * Lists what people can press but do not see, by geometry alone: buttons and links that lie sideways outside their frame or the
 * window, buttons whose text is cut off, controls of the menu below the window, and the current entry of the menu if it is not in view.
 */
const findOutOfSight = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const found = []
    const name = (element) => (element.textContent.trim() || element.title || element.ariaLabel || element.outerHTML).slice(0, 60)
    const boxOf = (element) => element.getBoundingClientRect()
    const isShown = (element) => {
      const { width, height } = boxOf(element)
      return element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && width > 1 && height > 1
    }
    for (const element of document.querySelectorAll('a[href], button, summary, [role=tab]')) {
      if (!isShown(element) || element.closest('.skip, .for-screen-readers')) continue
      const { left, right, bottom } = boxOf(element)
      if (left < -1 || right > innerWidth + 1) found.push('outside the window: ' + name(element))
      for (let frame = element.parentElement; frame && frame !== document.body; frame = frame.parentElement) {
        if (getComputedStyle(frame).overflowX === 'visible') continue
        const box = boxOf(frame)
        if (left >= box.left - 1 && right <= box.right + 1) continue
        found.push('outside its frame: ' + name(element))
        break
      }
      const clips = getComputedStyle(element).overflowX !== 'visible'
      const isSentence = element.matches('td .long > button')
      if (element.localName === 'button' && clips && !isSentence && element.scrollWidth > element.clientWidth + 1)
        found.push('cut off: ' + name(element))
      const menu = element.closest('.own, .sidebar-top')
      if (menu && innerWidth >= 1024 && bottom > innerHeight + 1) found.push('below the window: ' + name(element))
    }
    const current = document.querySelector('.menu [aria-current=page]')
    if (current && isShown(current)) {
      const [{ top, bottom }, frame] = [boxOf(current), boxOf(current.closest('.areas'))]
      if (top < frame.top - 1 || bottom > Math.min(frame.bottom, innerHeight) + 1)
        found.push('the current entry of the menu: ' + name(current))
    }
    return found
  })()`)

/** Resizes the page as it is now to each window, and checks that everything that people can press is in sight. */
export const checkInSight = async (page: Page, state: string): Promise<void> => {
  const found: Record<string, readonly string[]> = {}
  for (const window of windows) {
    await page.setViewportSize(window)
    // Observers of sizes run before the next frame.
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
    )
    const hidden = await findOutOfSight(page)
    if (hidden.length > 0) found[`${state} at ${window.width} × ${window.height}`] = hidden
  }
  expect(found).toEqual({})
}
