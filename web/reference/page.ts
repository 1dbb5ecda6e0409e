import type { ReferenceEntry } from '../../lib/client/generated/models.ts'
import { addCopyButton, connectAnchors, getElement, setVisible } from './elements.ts'
import { findEntries } from './find-entries.ts'
import { addTryIt } from './try-it.ts'

/** The list stays short enough to read. */
const shownResults = 30

/** Connects the search field of the navigation. */
const connectSearch = (): void => {
  const input = getElement('search-field', HTMLInputElement)
  const status = getElement('search-status', HTMLElement)
  const results = getElement('results', HTMLElement)
  setVisible('search-area', true)
  const showResults = async (): Promise<void> => {
    const query = input.value.trim()
    if (query !== '' && !index) status.textContent = 'Searching…'
    const entries = query === '' ? [] : await loadIndex().catch(() => undefined)
    // The person may have typed on while it was loaded.
    if (input.value.trim() !== query) return
    const found = findEntries(entries ?? [], query)
    results.replaceChildren(...found.slice(0, shownResults).map(createResult))
    setVisible('contents', query === '')
    status.textContent = entries
      ? query === ''
        ? ''
        : describeCount(found.length)
      : 'The search did not load. Try again.'
  }
  addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (key !== '/' || ctrlKey || metaKey || altKey || isTyping(target)) return
    // The slash is not part of the query.
    event.preventDefault()
    input.focus()
  })
  input.addEventListener('input', () => void showResults())
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || input.value === '') return
    // The same key closes the menu once the field is empty.
    event.stopPropagation()
    input.value = ''
    void showResults()
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, select') !== null

let index: Promise<readonly ReferenceEntry[]> | undefined

/** Loads what the search finds, at the first search. After a failure, the next search tries again. */
const loadIndex = (): Promise<readonly ReferenceEntry[]> => {
  index ??= fetchIndex().catch((error: unknown) => {
    index = undefined
    throw error
  })
  return index
}

const fetchIndex = async (): Promise<readonly ReferenceEntry[]> => {
  const response = await fetch('/docs/search.json')
  if (!response.ok) throw new Error(`The search index has the status ${response.status}.`)
  const { entries }: { readonly entries: readonly ReferenceEntry[] } = await response.json()
  return entries
}

const describeCount = (count: number): string => {
  if (count === 0) return 'Nothing found. Try fewer or other words.'
  if (count === 1) return '1 result'
  return count > shownResults ? `${count} results, the first ${shownResults} are shown` : `${count} results`
}

const shorten = (text: string): string => (text.length > 90 ? `${text.slice(0, 89).trimEnd()}…` : text)

const createResult = ({ href, kind, name, detail }: ReferenceEntry): HTMLLIElement => {
  const link = Object.assign(document.createElement('a'), { href })
  const explanation = document.createElement('small')
  explanation.textContent = detail ? `${kind}: ${shorten(detail)}` : kind
  link.append(name, explanation)
  const item = document.createElement('li')
  item.append(link)
  return item
}

/** Marks the link in the navigation to the operation or model that the page shows. */
const markCurrentPlace = (): void => {
  const contents = getElement('contents', HTMLElement)
  const links = new Map(
    [...contents.querySelectorAll('a')]
      .filter(({ pathname }) => pathname === location.pathname)
      .map((link) => [link.hash.slice(1), link]),
  )
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
}

/** Leads an address of the first page to the page that has the place: `/docs#login` to the sign-in. */
const followAddress = async (): Promise<void> => {
  if (location.hash === '' || document.getElementById(location.hash.slice(1))) return
  const entry = (await loadIndex()).find(({ href }) => href.endsWith(location.hash))
  if (entry) location.replace(entry.href)
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
    if (!link || !isOpen() || link.pathname !== location.pathname) return
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

const languageKey = 'docs-language'

/** Shows all calls of a page in the language that the reader chose last, on this page or another. */
const connectLanguages = (): void => {
  const show = (language: string | null): void => {
    for (const input of document.querySelectorAll<HTMLInputElement>('.languages input'))
      if (input.value === language) input.checked = true
  }
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.closest('.languages')) return
    const { top } = target.getBoundingClientRect()
    show(target.value)
    useStorage((storage) => storage.setItem(languageKey, target.value))
    // Calls above can have another height now. What the reader looks at stays in its place.
    scrollBy(0, target.getBoundingClientRect().top - top)
  })
  show(useStorage((storage) => storage.getItem(languageKey)) ?? null)
}

/** Browsers can refuse to store anything. */
const useStorage = <Value>(use: (storage: Storage) => Value): Value | undefined => {
  try {
    return use(localStorage)
  } catch {
    return undefined
  }
}

document.documentElement.classList.add('scripted')
connectLanguages()
for (const block of document.querySelectorAll('pre')) addCopyButton(block)
connectAnchors()
connectMenu()
connectSearch()
markCurrentPlace()
void followAddress()
addEventListener('hashchange', () => void followAddress())
// The service permits calls from this page by its setting `API_REFERENCE`.
if (document.body.dataset['calls'] === 'on')
  for (const section of document.querySelectorAll<HTMLElement>('section.operation')) addTryIt(section)
