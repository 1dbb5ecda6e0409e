import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

/** Says what was done, also to screen readers. An empty text removes what was said before. */
type Announce = (text: string) => void

/** How the page around shared parts says what they did. */
export const AnnounceContext = createContext<Announce>(() => {
  throw new Error('The page around this part announces nothing.')
})

export const useAnnounce = (): Announce => useContext(AnnounceContext)
