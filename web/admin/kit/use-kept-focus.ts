import { useEffect } from 'preact/hooks'

/** Longer than a dialog takes to return the focus to the button that opened it. */
const waitMs = 50

/**
 * Moves the focus when the page removes the element that has it, such as the button of a deleted list entry: to the heading
 * of the part that the element was in. Without a focus, people who use the keyboard or a screen reader lose their place.
 */
export const useKeptFocus = (): void => {
  useEffect(() => {
    let path: readonly Element[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    const remember = ({ target }: FocusEvent): void => {
      if (target instanceof Element) path = listAncestors(target)
    }
    const check = (): void => {
      const { activeElement, body } = document
      const isLost = activeElement === null || activeElement === body
      if (!isLost || path[0]?.isConnected !== false || document.querySelector('dialog[open]')) return
      const part = path.find(({ isConnected }) => isConnected)
      focusPart(part?.closest('.panel') ?? document)
    }
    const observer = new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(check, waitMs)
    })
    addEventListener('focusin', remember)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      removeEventListener('focusin', remember)
      observer.disconnect()
      clearTimeout(timer)
    }
  }, [])
}

const listAncestors = (element: Element): readonly Element[] =>
  element.parentElement ? [element, ...listAncestors(element.parentElement)] : [element]

const focusPart = (part: ParentNode): void => {
  const heading = part.querySelector<HTMLElement>(part === document ? 'h1' : 'h2')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
