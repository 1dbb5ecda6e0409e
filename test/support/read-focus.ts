import type { JSHandle, Page } from 'playwright-core'

interface Edges {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** The focused element, as a person sees it. */
export interface FocusStop extends Edges {
  /** Role or tag, and label or text, such as `button Sign in`. */
  readonly name: string
  /** The part that scrolls on its own, with its edges in the page. Edges of the element count what is scrolled away in it. */
  readonly frame?: Edges & { readonly place: number }
  /** Whether its middle is in the window and not covered. */
  readonly isInView: boolean
  /** Counts the focused elements of this page from 0. An element that has the focus again keeps its number. */
  readonly number: number
  /** Where the element is in the document, compared with others. */
  readonly place: number
  /** The element that had the focus before, if it looked the same then as now. */
  readonly invisibleBefore?: string
}

/**
 * Runs in the page. It remembers the focused element and its style. The style without focus is known only when the focus
 * has moved on, because removing the focus on purpose would start what the page does then.
 */
const script = `(() => {
  const memory = (window.testedFocus ??= { seen: [] })
  const shows = ['outlineStyle', 'outlineWidth', 'outlineColor', 'boxShadow', 'borderTopColor', 'backgroundColor',
    'textDecorationLine', 'color']
  const styleOf = (element) => {
    const parts = [element, ...(element.labels ?? [])]
    if (['checkbox', 'radio'].includes(element.type) && element.nextElementSibling) parts.push(element.nextElementSibling)
    return parts.flatMap((part) => shows.map((name) => getComputedStyle(part)[name])).join()
  }
  const tidy = (text) => (text ?? '').replace(/\\s+/g, ' ').trim()
  const nameOf = (element) => {
    const ids = (element.getAttribute('aria-labelledby') ?? '').split(' ')
    const label = [
      element.getAttribute('aria-label'),
      ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' '),
      element.labels?.[0]?.textContent,
      element.textContent,
    ].map(tidy).find(Boolean)
    return (element.getAttribute('role') ?? element.tagName.toLowerCase()) + ' ' + (label ?? '')
  }
  const { last } = memory
  memory.last = undefined
  const element = document.activeElement
  const isLost = !element || element === document.body || element === document.documentElement
  const isOld = last && last.element !== element && last.element.isConnected && styleOf(last.element) === last.style
  const before = isOld ? { invisibleBefore: last.name } : {}
  if (isLost) return { lost: true, ...before }
  if (!memory.seen.includes(element)) memory.seen.push(element)
  // Places in the whole content, because the page scrolls while the focus moves.
  let [down, across] = [0, 0]
  for (let part = element.parentElement; part; part = part.parentElement) [down, across] = [down + part.scrollTop, across + part.scrollLeft]
  const box = element.getBoundingClientRect()
  const [top, bottom, left, right] = [box.top + down, box.bottom + down, box.left + across, box.right + across]
  const scrolls = (part) => /auto|scroll/.test(getComputedStyle(part).overflowY) && part.scrollHeight > part.clientHeight
  const all = [...document.querySelectorAll('*')]
  let frame
  for (let part = element.parentElement; part && part !== document.body; part = part.parentElement)
    if (!frame && scrolls(part)) frame = part
  const { top: frameTop, bottom: frameBottom, left: frameLeft, right: frameRight } = (frame ?? element).getBoundingClientRect()
  const frameEdges = frame && {
    frame: { top: frameTop + scrollY, bottom: frameBottom + scrollY, left: frameLeft, right: frameRight, place: all.indexOf(frame) },
  }
  const parts = [element, ...(element.labels ?? [])]
  const isInView = parts.some((part) => {
    const box = part.getBoundingClientRect()
    const shown = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2)
    return shown !== null && (part.contains(shown) || shown.contains(part))
  })
  const place = all.indexOf(element)
  // A heading that a step moves the focus to is no control, so it need not look focused.
  if (element.tabIndex >= 0) memory.last = { element, name: nameOf(element), style: styleOf(element) }
  return { name: nameOf(element), top, bottom, left, right, isInView, number: memory.seen.indexOf(element), place, ...frameEdges, ...before }
})()`

export type Focus = FocusStop | { readonly lost: true; readonly invisibleBefore?: string }

/** Returns the focused element, or `lost` if nothing has the focus. */
export const readFocus = (page: Page): Promise<Focus> => page.evaluate(script)

/** Runs in the page for an `element`. The Tab key leads to one radio button of a group, and the arrow keys to the others. */
const way = `(() => {
  const { activeElement } = document
  const [one, other] = [element, activeElement ?? document.body]
  const isInGroup = one.type === 'radio' && other.type === 'radio' && one.name === other.name && one.form === other.form
  const isBehind = Boolean(other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING)
  return { isThere: one === other || isInGroup, isBehind, isConnected: one.isConnected, isInFront: document.hasFocus() }
})()`

interface Way {
  /** Whether the element has the focus. */
  readonly isThere: boolean
  /** Whether the way to the element leads back. */
  readonly isBehind: boolean
  /** Whether the page still contains the element. */
  readonly isConnected: boolean
  /** Whether the window of the page has the focus. */
  readonly isInFront: boolean
}

/** Text would not get the element. Playwright sends the text of a function, and it runs in the page. */
const findWay = new Function('element', `return ${way}`) as (element: unknown) => Way
const findWayBeside = new Function('element', `return { focus: ${script}, way: ${way} }`) as (
  element: unknown,
) => { readonly focus: Focus; readonly way: Way }

/** Returns where an element is, seen from the focus. */
export const readWay = (element: JSHandle): Promise<Way> => element.evaluate(findWay)

/** Returns the focused element, and where this element is. */
export const readFocusBeside = (element: JSHandle): Promise<ReturnType<typeof findWayBeside>> =>
  element.evaluate(findWayBeside)
