import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { AccountProfile } from '../../lib/kernel/contract/page-data.ts'
import { takeSetupTarget } from '../kit/kept-values.ts'
import { pageData } from '../kit/start-path.ts'
import { endSession, openSignIn } from '../session-kit/client.ts'

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

/** Whether the session can only set up what the service requires. */
export const isSetupSession = ({ totp_enabled: hasTotp }: AccountProfile): boolean =>
  isPasskeySetup() || (pageData.user?.session === 'setup' && !hasTotp)

/** Whether the session can only add a passkey. */
export const isPasskeySetup = (): boolean => pageData.user?.session === 'passkey_setup'

/** Leads on to where the person wanted to go before they had to set up a second factor. Returns whether it does. */
export const leaveSetup = (): boolean => {
  const target = pageData.user?.session === 'setup' ? takeSetupTarget() : undefined
  if (target !== undefined) location.assign(target)
  return target !== undefined
}

/** Has people sign in with the passkey that they added. The sign-in page leads on to where they wanted to go. */
export const signInWithNewPasskey = async (): Promise<void> => {
  await endSession()
  const target = takeSetupTarget()
  if (target?.startsWith('/')) location.assign(target.replace(/^\/link#token=/, '/#link='))
  else openSignIn()
}
