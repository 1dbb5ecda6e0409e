import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { AccountProfile } from '../../../lib/contract/page-data.ts'

/** The administrator in front of the console. */
export interface CurrentUser {
  readonly profile: AccountProfile
  /** Whether a section or a button is shown. The service decides again about each call. */
  readonly can: (permission: string) => boolean
}

export const toCurrentUser = (profile: AccountProfile): CurrentUser => {
  const granted = new Set(profile.effective_permissions)
  return {
    profile,
    can: (permission) => granted.has(permission) || granted.has('system:admin-access'),
  }
}

export const CurrentUserContext = createContext<CurrentUser | undefined>(undefined)

export const useCurrentUser = (): CurrentUser => {
  const user = useContext(CurrentUserContext)
  if (!user) throw new Error('The console shows sections only after it knows the user.')
  return user
}
