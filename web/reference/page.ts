import { addCopyButton, connectAnchors } from './copy.ts'
import { getElement, setVisible } from './elements.ts'
import { addTryIt } from './try-it.ts'

/** The list stays short enough to read. */
const shownResults = 30

/** Connects the search field of the navigation. */
const connectSearch = (): void => {
  const input = getElement('search', HTMLInputElement)
  const status = getElement('search-status', HTMLElement)
  const results = getElement('results', HTMLElement)
  let entries: readonly Entry[] | undefined
  setVisible('search-area', true)
  const showResults = (): void => {
    // Built at the first search, because it reads the whole page.
    entries ??= buildIndex()
    const query = input.value.trim()
    const found = findEntries(entries, query)
    results.replaceChildren(...found.slice(0, shownResults).map(createResult))
    setVisible('contents', query === '')
    status.textContent = query === '' ? '' : describeCount(found.length)
  }
  input.addEventListener('input', showResults)
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || input.value === '') return
    // The same key closes the menu once the field is empty.
    event.stopPropagation()
    input.value = ''
    showResults()
  })
}

const describeCount = (count: number): string => {
  if (count === 0) return 'Nothing found. Try fewer or other words.'
  if (count === 1) return '1 result'
  return count > shownResults ? `${count} results, the first ${shownResults} are shown` : `${count} results`
}

const shorten = (text: string): string => (text.length > 90 ? `${text.slice(0, 89).trimEnd()}…` : text)

const createResult = ({ id, kind, name, detail }: Entry): HTMLLIElement => {
  const link = Object.assign(document.createElement('a'), { href: `#${id}` })
  const explanation = document.createElement('small')
  explanation.textContent = detail ? `${kind}: ${shorten(detail)}` : kind
  link.append(name, explanation)
  const item = document.createElement('li')
  item.append(link)
  return item
}

/** A place of the page that the search finds. */
interface Entry {
  readonly id: string
  readonly kind: string
  readonly name: string
  /** A sentence or a route that explains the name. */
  readonly detail: string
  /** Everything that is searched, in lower case. */
  readonly text: string
}

/** Builds the index from the page itself: the guide, operations, models, parameters, fields, error codes and headers. */
const buildIndex = (): readonly Entry[] => [
  ...[...document.querySelectorAll('.guide [id]')].map((heading) =>
    createEntry(heading, 'Guide', readText(heading), ''),
  ),
  ...[...document.querySelectorAll<HTMLElement>('section.operation')].map((section) => {
    const { method = '', path = '' } = section.dataset
    return createEntry(
      section,
      'Operation',
      readText(section.querySelector('h3')),
      `${method} ${path}`,
      section.id,
    )
  }),
  ...[...document.querySelectorAll('section.model')].map((section) =>
    createEntry(section, 'Model', section.id, readText(section.querySelector('.heading + p'))),
  ),
  ...[...document.querySelectorAll<HTMLElement>('.fields > div[id]')].flatMap((row) => {
    const kind = findKind(row)
    if (kind === undefined) return []
    const name = row.id.includes('.') ? row.id : readText(row.querySelector('dt > a'))
    return [createEntry(row, kind, name, readText(row.querySelector('dd > p')))]
  }),
]

const createEntry = ({ id }: Element, kind: string, name: string, detail: string, extra = ''): Entry => ({
  id,
  kind,
  name,
  detail,
  text: `${name} ${extra} ${detail}`.toLowerCase(),
})

const readText = (element: Element | null): string => element?.textContent.trim() ?? ''

/** Responses of operations are no entries, because their codes and models are. */
const findKind = ({ id, dataset }: HTMLElement): string | undefined => {
  if (id.startsWith('code-')) return 'Error code'
  if (id.startsWith('reason-')) return 'Reason'
  if (id.startsWith('header-')) return 'Header'
  if (!id.includes('.')) return undefined
  return dataset['in'] === undefined ? 'Field' : 'Parameter'
}

/** Finds the entries that contain every word. Names that start with the query come first. */
const findEntries = (entries: readonly Entry[], query: string): readonly Entry[] => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return entries
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map((entry) => ({ entry, rank: rankEntry(entry, words.join(' ')) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry)
}

/** Exact names come first, then operations and the guide. */
const rankEntry = ({ id, kind, name }: Entry, query: string): number => {
  const names = [id, name, id.split('.').at(-1) ?? ''].map((text) => text.toLowerCase())
  if (names.includes(query)) return 0
  if (kind === 'Operation' || kind === 'Guide') return 1
  if (names.some((text) => text.startsWith(query))) return 2
  return names.some((text) => text.includes(query)) ? 3 : 4
}

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
