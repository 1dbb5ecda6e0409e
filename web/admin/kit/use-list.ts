import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiFailure } from '../../kit/call-api.ts'
import { toFailure } from '../../kit/to-failure.ts'

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
  readonly failure: ApiFailure | undefined
  readonly hasMore: boolean
  readonly loadMore: () => void
  /** Loads the first page again. */
  readonly reload: () => void
}

interface State<Item> {
  readonly items: readonly Item[]
  readonly isLoading: boolean
  readonly failure?: ApiFailure
  readonly cursor?: string | undefined
}

const pageSize = 50
/** A search reads many entries for few results. It goes on until it shows some, but not for long. */
const pagesAtOnce = 5
const enoughItems = 10

/** Loads a list by its cursors, and again from the start when `key` changes. */
export const useList = <Item>(loadPage: LoadPage<Item>, key = ''): List<Item> => {
  const [state, setState] = useState<State<Item>>({ items: [], isLoading: true })
  const [round, setRound] = useState(0)
  const latest = useRef(loadPage)
  latest.current = loadPage
  const abort = useRef<AbortController | undefined>(undefined)

  const load = async (before: readonly Item[], cursor: string | undefined): Promise<void> => {
    abort.current?.abort()
    const running = new AbortController()
    abort.current = running
    const { signal } = running
    setState({ items: before, isLoading: true, cursor })
    try {
      const { items, nextCursor } = await collect(latest.current, cursor, signal)
      if (!signal.aborted) setState({ items: [...before, ...items], isLoading: false, cursor: nextCursor })
    } catch (error) {
      if (!signal.aborted) setState({ items: before, isLoading: false, cursor, failure: toFailure(error) })
    }
  }
  useEffect(() => {
    void load([], undefined)
    return () => abort.current?.abort()
  }, [key, round])
  const { items, isLoading, failure, cursor } = state
  return {
    items,
    isLoading,
    failure,
    hasMore: cursor !== undefined,
    loadMore: () => void load(items, cursor),
    reload: () => setRound((count) => count + 1),
  }
}

const collect = async <Item>(
  loadPage: LoadPage<Item>,
  start: string | undefined,
  signal: AbortSignal,
): Promise<Page<Item>> => {
  const found: Item[] = []
  let cursor = start
  for (let count = 0; count < pagesAtOnce; count++) {
    const page = await loadPage({ limit: pageSize, ...(cursor === undefined ? {} : { cursor }) }, { signal })
    found.push(...page.items)
    cursor = page.nextCursor
    if (cursor === undefined || found.length >= enoughItems) break
  }
  return { items: found, nextCursor: cursor }
}
