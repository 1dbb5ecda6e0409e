import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Focus, type FocusStop, readFocus, readFocusBeside, readWay } from './read-focus.ts'

/** More elements than any page has. */
const mostStops = 200

/** Whether a person who reads line by line comes to `next` after `stop`. Columns may follow each other. */
const isInOrder = (first: FocusStop, second: FocusStop): boolean => {
  // What scrolls on its own is one place for what is outside of it.
  const isInOneFrame = first.frame?.place === second.frame?.place
  const [stop, next] = isInOneFrame ? [first, second] : [first.frame ?? first, second.frame ?? second]
  const isAbove = next.bottom <= stop.top && next.left < stop.right
  const isLeftInLine = next.right <= stop.left && next.bottom > stop.top && next.top < stop.bottom
  return !isAbove && !isLeftInLine
}

/** More frames than a page moves for after it has loaded something above the focus. */
const mostFrames = 30

/** Reads the focus again while the page moves. */
const settle = async (page: Page, read: Focus): Promise<Focus> => {
  let focus = read
  for (let frames = 0; frames < mostFrames && !('lost' in focus) && !focus.isInView; frames += 1) {
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => resolve()))')
    focus = {
      ...(await readFocus(page)),
      ...(read.invisibleBefore && { invisibleBefore: read.invisibleBefore }),
    }
  }
  return focus
}

/** Fails if a person could not see where the focus was or is. */
const expectVisible = (focus: Focus): FocusStop | undefined => {
  expect(focus.invisibleBefore, 'an element looks the same with and without focus').toBeUndefined()
  if ('lost' in focus) return undefined
  expect(focus.isInView, `${focus.name} has the focus and is covered or outside of the window`).toBe(true)
  return focus
}

/**
 * Moves the focus through all elements of the page, or of the open dialog, and returns their roles and names. Fails if the
 * focus is invisible anywhere, or jumps back in the order of reading. For Chromium only: in Firefox, the focus leaves the
 * page after the last element.
 */
export const walkThrough = async (page: Page): Promise<readonly string[]> => {
  const stops: FocusStop[] = []
  for (let presses = 0; presses < mostStops; presses += 1) {
    await page.keyboard.press('Tab')
    const stop = expectVisible(await readFocus(page))
    // A date field has the focus several times, once for each of its parts.
    if (!stop || stop.number === stops.at(-1)?.number) continue
    if (stops.some(({ number }) => number === stop.number)) break
    stops.push(stop)
  }
  // The walk may begin in the middle, for example where the page has set the focus.
  const begin = stops.findIndex(({ place }) => stops.every((stop) => place <= stop.place))
  const inOrder = [...stops.slice(begin), ...stops.slice(0, begin)]
  for (const [at, next] of inOrder.entries()) {
    const stop = inOrder[at - 1]
    if (at > 0 && stop) expect(isInOrder(stop, next), `${next.name} follows ${stop.name}`).toBe(true)
  }
  return inOrder.map(({ name }) => name)
}

/**
 * Moves the focus to an element, by Tab or Shift+Tab only. It takes the way that does not lead out of the page, because Firefox goes
 * on to the bars of its window after the last element.
 */
export const tabTo = async (target: Locator): Promise<void> => {
  const page = target.page()
  await target.waitFor()
  // Finding an element by its role takes far longer than a step, so that it is found again only if the page replaced it.
  const find = () => target.evaluateHandle((element) => element)
  let element = await find()
  let way = await readWay(element)
  // Firefox has one window in front.
  if (!way.isInFront) await page.bringToFront()
  for (let stops = 0; !way.isThere; stops += 1) {
    if (stops === mostStops) expect.unreachable(`Tab never leads to ${target}`)
    await page.keyboard.press(way.isBehind ? 'Shift+Tab' : 'Tab')
    const beside = await readFocusBeside(element)
    const stop = expectVisible(await settle(page, beside.focus))
    way = beside.way
    // After the last element, the name may be that of another element.
    if (stop && way.isConnected) continue
    element = await find()
    way = await readWay(element)
  }
}

/** Whether the focus moved on this page, and is nowhere now. A page that was just opened has no focus. */
export const hasLostFocus = (page: Page): Promise<boolean> =>
  page.evaluate('Boolean(window.testedFocus) && document.activeElement === document.body')

/** Goes to a button or link by keyboard and presses a key there. */
export const pressKeyOn = async (target: Locator, key: 'Enter' | 'Space' = 'Enter'): Promise<void> => {
  await tabTo(target)
  await target.page().keyboard.press(key)
}

/** Goes to a field by keyboard, and types over what it contains. */
export const typeInto = async (target: Locator, text: string): Promise<void> => {
  await tabTo(target)
  await target.page().keyboard.press('ControlOrMeta+a')
  await target.page().keyboard.type(text)
}
