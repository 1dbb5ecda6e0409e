import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { AccountProfile } from '../../lib/contract/page-data.ts'

export interface AccountState {
  readonly profile: AccountProfile
  /** Replaces the profile by what the service answered. */
  readonly setProfile: (profile: AccountProfile) => void
  /** Shows what was done, also to screen readers. */
  readonly announce: (message: string) => void
}

export const AccountContext = createContext<AccountState | undefined>(undefined)

/** The state that all sections share. */
export const useAccount = (): AccountState => {
  const state = useContext(AccountContext)
  if (!state) throw new Error('This section is not part of the account page.')
  return state
}
