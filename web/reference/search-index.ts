/** A place of the page that the search finds. */
export interface Entry {
  readonly id: string
  readonly kind: string
  readonly name: string
  /** A sentence or a route that explains the name. */
  readonly detail: string
  /** Everything that is searched, in lower case. */
  readonly text: string
}

/** Builds the index from the page itself: the guide, operations, models, parameters, fields, error codes and headers. */
export const buildIndex = (): readonly Entry[] => [
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
export const findEntries = (entries: readonly Entry[], query: string): readonly Entry[] => {
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
