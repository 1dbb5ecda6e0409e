import { getElement } from './elements.ts'

/** Marks the link in the navigation to the operation or model that the page shows. */
export const markCurrentPlace = (): void => {
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
