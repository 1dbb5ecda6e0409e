import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Overview } from '../../../lib/client/generated/models.ts'
import type { Loaded } from '../../session-kit/use-loaded.ts'

/** What the menu counts and the overview shows: loaded once for both. Undefined inside for people who may not see it. */
export type LoadedOverview = Loaded<Overview | undefined>

export const OverviewContext = createContext<LoadedOverview | undefined>(undefined)

export const useOverview = (): LoadedOverview => {
  const loaded = useContext(OverviewContext)
  if (!loaded) throw new Error('The console loads the overview before it shows sections.')
  return loaded
}
