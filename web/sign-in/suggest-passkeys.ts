import { supportsPasskeys } from '../kit/passkeys.ts'
import { type SignInResult, signInWithPasskey } from './sign-in-with-passkey.ts'

/** Shorter than the lifetime of a challenge. */
const renewalMs = 4 * 60_000

let running: AbortController | undefined

/** Ends the suggestions, because a browser shows one request for a passkey at a time. */
export const stopSuggestingPasskeys = (): void => {
  running?.abort()
  running = undefined
}

/**
 * Has the browser suggest passkeys in the username field (conditional mediation, WebAuthn Level 3, section 5.1.7). Calls
 * `onSignIn` when the person chose one that signed in, and `onFailure` when it did not. Challenges expire, so the request
 * is renewed for as long as the page is open.
 */
export const suggestPasskeys = async (
  onSignIn: (result: SignInResult) => Promise<void>,
  onFailure: () => void,
): Promise<void> => {
  stopSuggestingPasskeys()
  if (!supportsPasskeys()) return
  const controller = new AbortController()
  running = controller
  // Set before the first wait, so that a later call replaces this one.
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.()) || running !== controller) return
  const renewal = setTimeout(() => {
    if (running === controller) void suggestPasskeys(onSignIn, onFailure)
  }, renewalMs)
  try {
    const response = await signInWithPasskey(undefined, {
      mediation: 'conditional',
      signal: controller.signal,
    })
    // The person started something else after they had chosen the passkey.
    if (running !== controller) return
    if (response.isOk) await onSignIn(response.body)
    else onFailure()
  } catch {
    // The request was ended, or the service cannot be reached. The password still works.
  } finally {
    clearTimeout(renewal)
  }
}
