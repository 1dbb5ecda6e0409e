import { getElement, setVisible } from './elements.ts'

/** The list stays short enough to read. */
const shownResults = 30

/** Connects the search field of the navigation. */
export const connectSearch = (): void => {
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
