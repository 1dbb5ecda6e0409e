import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Overview, ProtectedAPI } from '../../../lib/client/generated/models.ts'
import type { AccountProfile } from '../../../lib/kernel/contract/page-data.ts'
import { client } from '../../session-kit/client.ts'
import { type Loaded, useLoaded } from '../../session-kit/use-loaded.ts'

/** The administrator in front of the console. */
interface CurrentUser {
  readonly profile: AccountProfile
  /** Whether a section or a button is shown. The service decides again about each call. */
  readonly can: (permission: string) => boolean
  /** Names the sections that people with these permissions see. */
  readonly nameSections: (permissions: readonly string[]) => readonly string[]
}

/** Whether a holder of these permissions may do what requires one. */
export const allows = (granted: readonly string[], permission: string): boolean =>
  granted.includes(permission) || granted.includes('system:admin-access')

export const toCurrentUser = (
  profile: AccountProfile,
  nameSections: CurrentUser['nameSections'],
): CurrentUser => ({
  profile,
  can: (permission) => allows(profile.effective_permissions, permission),
  nameSections,
})

export const CurrentUserContext = createContext<CurrentUser | undefined>(undefined)

export const useCurrentUser = (): CurrentUser => {
  const user = useContext(CurrentUserContext)
  if (!user) throw new Error('The console shows sections only after it knows the user.')
  return user
}

/** More than there can be. */
const limit = 100

/** Loads all registered APIs. */
export const useProtectedApis = (): Loaded<readonly ProtectedAPI[]> =>
  useLoaded(async (options) => (await client.oidcClients.listProtectedApis({ limit }, options)).items)

/** What the menu counts and the overview shows: loaded once for both. Undefined inside for people who may not see it. */
type LoadedOverview = Loaded<Overview | undefined>

export const OverviewContext = createContext<LoadedOverview | undefined>(undefined)

export const useOverview = (): LoadedOverview => {
  const loaded = useContext(OverviewContext)
  if (!loaded) throw new Error('The console loads the overview before it shows sections.')
  return loaded
}
