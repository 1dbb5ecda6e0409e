import { getElement } from './elements.ts'

/** Connects the button that shows and hides the navigation on narrow screens. */
export const connectMenu = (): void => {
  const button = getElement('menu', HTMLButtonElement)
  const navigation = getElement('navigation', HTMLElement)
  const isOpen = (): boolean => navigation.classList.contains('open')
  const setOpen = (isNowOpen: boolean): void => {
    navigation.classList.toggle('open', isNowOpen)
    button.setAttribute('aria-expanded', String(isNowOpen))
  }
  button.hidden = false
  button.addEventListener('click', () => setOpen(!isOpen()))
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !isOpen()) return
    setOpen(false)
    button.focus()
  })
  // The open menu covers the content, so it must not stay open when the focus moves there.
  document.addEventListener('focusin', ({ target }) => {
    const isInside = target instanceof Node && (navigation.contains(target) || target === button)
    if (!isInside) setOpen(false)
  })
  navigation.addEventListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (!link || !isOpen()) return
    setOpen(false)
    // The link that had the focus is hidden now.
    moveFocus(link.hash.slice(1))
  })
}

const moveFocus = (id: string): void => {
  const target = document.getElementById(id)
  if (!target) return
  target.tabIndex = -1
  target.focus({ preventScroll: true })
}
