import { reportSignedOut } from '../../session-kit/prompts.ts'
import { openSignIn } from '../../session-kit/sign-in-again.ts'
import { isGuarded } from './route.ts'

/** Leads to the sign-in page and back. A form with changes stays, so that the person can sign in elsewhere and go on. */
export const reportSessionEnd = (): void => {
  if (isGuarded()) reportSignedOut()
  else openSignIn()
}
