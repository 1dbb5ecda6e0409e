import { type ComponentType, render } from 'preact'
import { languageParameter } from '../../lib/kernel/contract/page-data.ts'
import { loadMessages } from './messages.ts'
import { appElement } from './start-path.ts'
import { showWaiting } from './waiting.ts'

/** Shows the page once its messages are loaded. */
export const startPage = async (Page: ComponentType): Promise<void> => {
  forgetLanguageParameter()
  keepFocus()
  await loadMessages()
  showWaiting()
  // What the service wrote until now.
  appElement.replaceChildren()
  render(<Page />, appElement)
}

/** The server keeps the choice, so it need not stay in the address. */
const forgetLanguageParameter = (): void => {
  const url = new URL(location.href)
  if (!url.searchParams.has(languageParameter)) return
  url.searchParams.delete(languageParameter)
  history.replaceState(history.state, '', url)
}

/** Without a focus, people who use the keyboard or a screen reader lose their place, and so they do if they do not see it. */
const keepFocus = (): void => {
  keepInView()
  keepInPage()
}

/** Longer than a browser scrolls after a key, and shorter than a person needs for reaching the scroll bar. */
const scrollMs = 250

/**
 * Firefox leaves an element half outside of the window when the Tab key leads to it, or scrolls away from it when a frame lies on the
 * way. What is loaded above the element later moves it out, or under a message (WCAG 2.2, 2.4.11). The page stays where the person
 * scrolls it to.
 */
const keepInView = (): void => {
  let isTabbing = false
  let pressedAt = 0
  const show = (): void => {
    const { activeElement, body } = document
    if (isTabbing && activeElement !== body) activeElement?.scrollIntoView({ block: 'nearest' })
  }
  addEventListener('keydown', ({ key, timeStamp }) => {
    isTabbing = key === 'Tab'
    pressedAt = timeStamp
  })
  addEventListener('scroll', ({ timeStamp }) => {
    if (timeStamp - pressedAt < scrollMs) show()
  })
  for (const name of ['pointerdown', 'wheel'] as const)
    addEventListener(
      name,
      () => {
        isTabbing = false
      },
      { passive: true },
    )
  addEventListener('focusin', show)
  new ResizeObserver(show).observe(document.body)
}

/** Longer than a dialog takes to return the focus to the button that opened it. */
const waitMs = 50

/**
 * Moves the focus when the page removes the element that has it, such as the button of a deleted list entry: to the heading
 * of the dialog or the part that the element was in.
 */
const keepInPage = (): void => {
  let path: readonly Element[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) path = listAncestors(target)
  })
  const check = (): void => {
    const { activeElement, body } = document
    const isLost = activeElement === null || activeElement === body
    if (!isLost || path[0]?.isConnected !== false) return
    const part = path.find(({ isConnected }) => isConnected)
    const dialogs = document.querySelectorAll('dialog[open]')
    focusHeading(dialogs.item(dialogs.length - 1) ?? part?.closest('.panel'))
  }
  new MutationObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(check, waitMs)
  }).observe(document.body, { childList: true, subtree: true })
}

const listAncestors = (element: Element): readonly Element[] =>
  element.parentElement ? [element, ...listAncestors(element.parentElement)] : [element]

const focusHeading = (part: Element | null | undefined): void => {
  const heading = part?.querySelector<HTMLElement>('h2') ?? document.querySelector<HTMLElement>('h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
