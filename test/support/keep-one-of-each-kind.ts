import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Removes the elements that contain nothing but what other ones contain as well: the same tags, classes and states at the
 * same places. Links to them still have a target. What remains looks like the whole page, which is shown from its
 * beginning, and axe examines it in a fraction of the time. All of it is rendered, because only then its parts have their
 * places. `keep` selects elements that stay anyway.
 */
export const keepOneOfEachKind = async (page: Page, selector: string, keep = ':not(*)'): Promise<void> => {
  const kept = await page.evaluate<number>(`(() => {
    const states = ['role', 'type', 'hidden', 'open', 'aria-expanded', 'aria-current']
    const nameOf = (element) => [element.localName, element.className, ...states.map((name) => element.getAttribute(name))].join()
    const known = new Set()
    let kept = 0
    const addKinds = (element, path) => {
      const kind = path + '>' + nameOf(element)
      const before = known.size
      known.add(kind)
      for (const child of element.children) addKinds(child, kind)
      return known.size > before
    }
    for (const element of document.querySelectorAll(${JSON.stringify(selector)})) {
      element.style.contentVisibility = 'visible'
      if (addKinds(element, '')) kept += 1
      else if (!element.matches(${JSON.stringify(keep)})) {
        const target = document.createElement('div')
        target.id = element.id
        element.replaceWith(target)
      }
    }
    scrollTo(0, 0)
    return kept
  })()`)
  expect(kept, `the page has several kinds of ${selector}`).toBeGreaterThan(1)
}
