import { useEffect, useState } from 'preact/hooks'
import { type LinkState, watchLinkState } from './link-state.ts'

export interface ShownLink {
  readonly state: LinkState
  /** Changes when another link is pasted into the tab, so that the page starts again. */
  readonly visit: number
}

/** The link that the page shows, as the history of the tab keeps it. Undefined until it is read. */
export const useLinkState = (): ShownLink | undefined => {
  const [shown, setShown] = useState<ShownLink | undefined>()
  useEffect(() => {
    void watchLinkState((state) => setShown((before) => ({ state, visit: (before?.visit ?? 0) + 1 })))
  }, [])
  return shown
}
