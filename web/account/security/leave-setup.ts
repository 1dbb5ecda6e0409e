import { takeSetupTarget } from '../../kit/kept-values.ts'
import { pageData } from '../../kit/start-path.ts'
import { endSession, openSignIn } from '../../session-kit/client.ts'

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
