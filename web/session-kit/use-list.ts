import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ApiFailure } from '../kit/call-api.ts'
import { toFailure } from '../kit/call-api.ts'
import { useReconnection } from './use-loaded.ts'

export interface PageRequest {
  readonly limit: number
  readonly cursor?: string
}
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | undefined
}
type LoadPage<Item> = (page: PageRequest, options: { readonly signal: AbortSignal }) => Promise<Page<Item>>

export interface List<Item> {
  readonly items: readonly Item[]
  readonly isLoading: boolean
  /** Whether the items are those of a former search, which are on display until those of the new one are there. */
  readonly isStale: boolean
  readonly failure: ApiFailure | undefined
  readonly hasMore: boolean
  /** How far a search has come, if it has not reached the end. */
  readonly position: string | undefined
  readonly loadMore: () => void
  /** Loads the first page again. */
  readonly reload: () => void
  /** Ends a search where it is. */
  readonly stop: () => void
}

interface ListOptions {
  /**
   * Says how far a list was read, by its cursor. Such a list shows what it finds and how far it is after each page, and
   * reads more pages before it waits.
   */
  readonly describePosition?: (cursor: string) => string | undefined
  /** How many entries come first, if other things of the page are above and below them. */
  readonly firstSize?: number
}

interface State<Item> {
  readonly items: readonly Item[]
  readonly isLoading: boolean
  readonly isStale?: boolean
  readonly failure?: ApiFailure
  readonly cursor?: string | undefined
}

/** More than a window shows. Fewer rows appear sooner on a slow network. */
const firstPageSize = 20
const pageSize = 50
/** The largest page of the API. */
const largestPage = 1000

/** What a list had loaded, and where the person was in it. */
interface Kept {
  readonly items: readonly unknown[]
  readonly cursor: string | undefined
  readonly scrollY: number
}

/** The lists of this page by their place in the history, for those who come back. Nothing of it is stored. */
const keptLists = new Map<string, Kept>()
const mostKept = 20

/** Names the present entry of the history, so that it differs from a link to the same address. */
const nameHistoryEntry = (): string => {
  const { list } = (history.state ?? {}) as { readonly list?: unknown }
  if (typeof list === 'string') return list
  const name = crypto.randomUUID()
  history.replaceState({ ...history.state, list: name }, '')
  return name
}

const keep = (name: string, kept: Kept): void => {
  keptLists.delete(name)
  keptLists.set(name, kept)
  const [oldest] = keptLists.keys()
  if (keptLists.size > mostKept && oldest !== undefined) keptLists.delete(oldest)
}
/** A search reads many entries for few results. It goes on until it shows some, but not for long. */
const pagesAtOnce = 5
/** A search that shows how far it is, and that the person can stop. */
const searchedPagesAtOnce = 20
const enoughItems = 10

/**
 * Loads a list by its cursors, and again from the start when `key` changes. Who comes back to a list by the history finds the
 * rows and the place where they were. The rows are then loaded again, because they may have changed.
 */
export const useList = <Item>(
  loadPage: LoadPage<Item>,
  key = '',
  { describePosition, firstSize = firstPageSize }: ListOptions = {},
): List<Item> => {
  const entry = useRef('')
  entry.current ||= nameHistoryEntry()
  const place = `${entry.current} ${key}`
  // The same section filled it: the name of the entry is random.
  const [restored] = useState(() => keptLists.get(place) as (Kept & { items: readonly Item[] }) | undefined)
  const [state, setState] = useState<State<Item>>({
    items: restored?.items ?? [],
    cursor: restored?.cursor,
    isLoading: true,
  })
  const [round, setRound] = useState(0)
  const latest = useRef(loadPage)
  latest.current = loadPage
  const abort = useRef<AbortController | undefined>(undefined)

  const load = async (
    before: readonly Item[],
    cursor: string | undefined,
    { shown = before, isStale = false, limit = pageSize } = {},
  ): Promise<void> => {
    abort.current?.abort()
    const running = new AbortController()
    abort.current = running
    const { signal } = running
    let [items, position] = [before, cursor]
    setState({ items: shown, isLoading: true, isStale, cursor: isStale ? undefined : cursor })
    try {
      const maxPages = describePosition ? searchedPagesAtOnce : pagesAtOnce
      for (let count = 1; ; count++) {
        const page = await latest.current(
          { limit, ...(position === undefined ? {} : { cursor: position }) },
          { signal },
        )
        if (signal.aborted) return
        ;[items, position] = [[...items, ...page.items], page.nextCursor]
        const isEnough = items.length - before.length >= enoughItems
        if (position === undefined || isEnough || count === maxPages) break
        if (describePosition) setState({ items, isLoading: true, cursor: position })
      }
      setState({ items, isLoading: false, cursor: position })
    } catch (error) {
      if (!signal.aborted) setState({ items, isLoading: false, cursor: position, failure: toFailure(error) })
    }
  }
  const isFirst = useRef(true)
  // Before the requests of other parts of the page: browsers send few at a time, and people wait for the rows.
  useLayoutEffect(() => {
    const shown = state.items
    const isRestored = isFirst.current && restored !== undefined
    isFirst.current = false
    if (isRestored) {
      const limit = Math.min(largestPage, Math.max(firstSize, shown.length))
      void load([], undefined, { shown, limit })
    } else void load([], undefined, { shown, isStale: shown.length > 0, limit: firstSize })
    return () => abort.current?.abort()
  }, [key, round])
  useEffect(() => {
    // After the heading, which takes the focus and shows the top of the page.
    if (restored) requestAnimationFrame(() => scrollTo(0, restored.scrollY))
  }, [])
  const { items, isLoading, isStale = false, failure, cursor } = state
  const reload = (): void => setRound((count) => count + 1)
  useReconnection(failure, reload)
  const present = useRef<{ readonly place: string; readonly kept: Kept } | undefined>(undefined)
  present.current = { place, kept: { items, cursor, scrollY: present.current?.kept.scrollY ?? 0 } }
  // Effects without layout end after the rows are removed, and that scrolls the page to its top.
  useLayoutEffect(() => {
    const remember = (): void => {
      if (present.current)
        present.current = { ...present.current, kept: { ...present.current.kept, scrollY } }
    }
    addEventListener('scroll', remember, { passive: true })
    return () => {
      removeEventListener('scroll', remember)
      if (present.current && present.current.kept.items.length > 0)
        keep(present.current.place, present.current.kept)
    }
  }, [])
  return {
    items,
    isLoading,
    isStale,
    failure,
    hasMore: cursor !== undefined,
    position: cursor === undefined ? undefined : describePosition?.(cursor),
    loadMore: () => void load(items, cursor),
    reload,
    stop: () => {
      abort.current?.abort()
      setState({ items, isLoading: false, cursor })
    },
  }
}
