import { getElement, setVisible } from './elements.ts'
import { buildIndex, type Entry, findEntries } from './search-index.ts'

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
