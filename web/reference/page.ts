import { addCopyButton, connectAnchors } from './copy.ts'
import { getElement } from './elements.ts'
import { connectSearch } from './search.ts'
import { addTryIt } from './try-it.ts'

/** Marks the link in the navigation to the operation or model that the page shows. */
const markCurrentPlace = (): void => {
  const contents = getElement('contents', HTMLElement)
  const links = new Map([...contents.querySelectorAll('a')].map((link) => [link.hash.slice(1), link]))
  let current: HTMLAnchorElement | undefined
  const mark = (id: string): void => {
    const link = links.get(id)
    if (!link || link === current) return
    current?.removeAttribute('aria-current')
    link.setAttribute('aria-current', 'true')
    current = link
  }
  // A section is current while it covers the line below the top of the window.
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) mark(target.id)
    },
    { rootMargin: '-20% 0px -79% 0px' },
  )
  for (const section of document.querySelectorAll('section[id]')) observer.observe(section)
  const openGroup = (): void => {
    const group = links.get(location.hash.slice(1))?.closest('details')
    if (group) group.open = true
  }
  addEventListener('hashchange', openGroup)
  openGroup()
}

/** Connects the button that shows and hides the navigation on narrow screens. */
const connectMenu = (): void => {
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

document.documentElement.classList.add('scripted')
for (const block of document.querySelectorAll('pre')) addCopyButton(block)
connectAnchors()
connectMenu()
connectSearch()
markCurrentPlace()
// The service permits calls from this page by its setting `API_REFERENCE`.
if (document.body.dataset['calls'] === 'on')
  for (const section of document.querySelectorAll<HTMLElement>('section.operation')) addTryIt(section)
