import { type ApiFailure, callApi } from '../shared/call-api.ts'
import { describeUser, fetchCurrentUser, isGuest, type User } from '../shared/current-user.ts'
import { getElement, setVisible } from '../shared/elements.ts'
import { onClick, onSubmit, runWhileDisabled } from '../shared/forms.ts'
import { describeFailure } from '../shared/messages.ts'
import {
  describePasskeyError,
  passkeysUnsupportedMessage,
  type SignInResult,
  signInWithPasskey,
  supportsPasskeys,
} from '../shared/passkeys.ts'
import { connectPasswordVisibility } from '../shared/password-visibility.ts'
import { showMessage } from '../shared/show-message.ts'
import { showStep } from '../shared/show-step.ts'
import { keepSignInQuery } from '../shared/sign-in-address.ts'
import { findPendingLink, keepLinkForProvider, keepPendingLink, takeLinkOfProvider } from './pending-link.ts'
import { createProviderLink, fetchProviders } from './providers.ts'
import {
  fetchReturnTarget,
  hasJustLeftFor,
  isRefusedReturn,
  leaveFor,
  refusedReturnMessage,
} from './return-target.ts'
import { readSignInRequest } from './sign-in-request.ts'
import { stopSuggestingPasskeys, suggestPasskeys } from './suggested-passkeys.ts'
import { showContinue, showProviders, showTarget, showUser } from './views.ts'

const form = getElement('sign-in', HTMLFormElement)
const username = getElement('username', HTMLInputElement)
const password = getElement('password', HTMLInputElement)
const newPassword = getElement('new-password', HTMLInputElement)
const code = getElement('code', HTMLInputElement)
const providers = getElement('providers', HTMLElement)
const setPasswordVisibility = connectPasswordVisibility(['password', 'new-password'])

const { loginHint, requiresSignIn, offersAccounts, ...request } = readSignInRequest()
/** Where the page leads to. Undefined if its address does not say, or the service refuses it. */
let { returnTo } = request
/** Who goes there when they press the button for it. */
let returningUser: User | undefined

/** The proof that the password was right, while a passkey can complete the sign-in. */
let secondFactorToken: string | undefined

/** Answers of requests from page load are ignored once the user has started an action. */
let hasUserActed = false

const showExtraField = (input: HTMLInputElement): void => {
  setVisible(`${input.id}-field`, true)
  input.required = true
  input.focus()
}

/** Hides the code and the new password. Another user of the browser may not need them. */
const hideExtraFields = (): void => {
  secondFactorToken = undefined
  for (const input of [code, newPassword]) {
    setVisible(`${input.id}-field`, false)
    Object.assign(input, { required: false, value: '' })
  }
}

const completeSignIn = async ({ user, redirect }: SignInResult): Promise<void> => {
  stopSuggestingPasskeys()
  form.reset()
  setPasswordVisibility(false)
  hideExtraFields()
  const pendingLink = findPendingLink()
  if (pendingLink) location.replace(pendingLink)
  else if (returnTo !== undefined) await returnAs(user, returnTo)
  else if (redirect) location.assign(redirect)
  else {
    showUser(user)
    showStep('Signed in')
  }
}

/** Leads to the address. Without an answer of the service, the user can try again. */
const returnAs = async (user: User, address: string): Promise<void> => {
  offerReturn(user)
  const failure = await leaveFor(address)
  if (!failure) return
  if (isRefusedReturn(failure)) {
    showUser(user)
    return refuseReturn()
  }
  if (failure.status === 401) showUser(undefined)
  showMessage('problem', ...describeFailure(failure))
}

const offerReturn = (user: User): void => {
  returningUser = user
  showContinue(user)
}

const refuseReturn = (): void => {
  returnTo = undefined
  showMessage('problem', refusedReturnMessage)
}

const signIn = async (): Promise<void> => {
  hasUserActed = true
  showMessage('problem')
  showMessage('status')
  const response = await callApi<SignInResult>('POST', '/api/2/auth/login', {
    body: {
      username: username.value,
      password: password.value,
      ...(code.value ? { otp: code.value } : {}),
      ...(newPassword.value ? { new_password: newPassword.value } : {}),
    },
  })
  if (response.isOk) return completeSignIn(response.body)
  const { reason, second_factor_token: token } = response.problem
  secondFactorToken = token
  if (reason === 'passkey_required') return continueWithPasskey(response)
  if (reason === 'otp_required') showExtraField(code)
  else if (reason === 'password_change_required') showExtraField(newPassword)
  showMessage('problem', ...describeFailure(response))
}

/** The sign-in with a password continues with the dialog of the browser. The button opens the dialog again. */
const continueWithPasskey = async (response: ApiFailure): Promise<void> => {
  if (!supportsPasskeys()) return showMessage('problem', passkeysUnsupportedMessage)
  showMessage('status', ...describeFailure(response))
  await usePasskey()
}

/** Signs in with a passkey: after a right password as the second factor, otherwise alone. */
const usePasskey = async (): Promise<void> => {
  hasUserActed = true
  stopSuggestingPasskeys()
  showMessage('problem')
  try {
    const response = await signInWithPasskey(secondFactorToken)
    if (response.isOk) return completeSignIn(response.body)
    showMessage('status')
    showMessage('problem', ...describeFailure(response))
    // A token of another network or time does not work again.
    secondFactorToken = undefined
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    showMessage('problem', describePasskeyError(error))
  }
  void startSuggestions()
}

const startSuggestions = (): Promise<void> =>
  suggestPasskeys(completeSignIn, () =>
    showMessage('problem', 'The passkey did not work. Try again, or sign in with your password.'),
  )

const requestResetLink = async (): Promise<void> => {
  hasUserActed = true
  const name = username.value.trim()
  showMessage('status')
  if (!name) {
    showMessage('problem', 'Enter your username or email address first.')
    return username.focus()
  }
  showMessage('problem')
  const body = name.includes('@') ? { email: name } : { username: name }
  const response = await callApi('POST', '/api/2/auth/reset-password/request', { body })
  if (!response.isOk) return showMessage('problem', ...describeFailure(response))
  keepSignInQuery()
  showMessage('status', 'If the account exists and has an email address, a reset link is on its way.')
}

const signOut = async (): Promise<void> => {
  hasUserActed = true
  showMessage('problem')
  const response = await callApi('POST', '/api/2/auth/logout')
  if (!response.isOk) return showMessage('problem', ...describeFailure(response))
  showUser(undefined)
  username.focus()
  void startSuggestions()
}

/** Fills the username in, unless the user has typed one. */
const suggestUsername = (name: string): void => {
  if (!name || username.value) return
  username.value = name
  password.focus()
}

const useOtherAccount = async (): Promise<void> => {
  hasUserActed = true
  showMessage('problem')
  showUser(undefined)
  username.focus()
  void startSuggestions()
}

/** Decides what someone sees who is signed in already. */
const showSignedIn = async (user: User): Promise<void> => {
  if (requiresSignIn) {
    suggestUsername(isGuest(user) ? '' : user.username)
    showMessage('status', `You are signed in as ${describeUser(user)}. Sign in again to continue.`)
    return startSuggestions()
  }
  if (returnTo === undefined || findPendingLink()) return showUser(user)
  // Guests can have an account of their own.
  if (offersAccounts || isGuest(user) || hasJustLeftFor(returnTo)) return offerReturn(user)
  const address = returnTo
  return runWhileDisabled('continue', () => returnAs(user, address))
}

keepPendingLink()
username.addEventListener('input', hideExtraFields)
onSubmit('sign-in', signIn)
onClick('forgot-password', 'sign-in', requestResetLink)
onClick('use-passkey', 'sign-in', usePasskey)
onSubmit('sign-out', signOut)
onSubmit('continue', async () => {
  if (returningUser && returnTo !== undefined) await returnAs(returningUser, returnTo)
})
onClick('use-other-account', 'continue', useOtherAccount)
providers.addEventListener('click', keepLinkForProvider)
setVisible('use-passkey', supportsPasskeys())
suggestUsername(loginHint)

if (new URLSearchParams(location.search).get('error') === 'sign_in_not_finished')
  showMessage('problem', 'The sign-in was not completed. Start again.')

const [found, user, target] = await Promise.all([
  fetchProviders(),
  fetchCurrentUser(),
  returnTo === undefined ? undefined : fetchReturnTarget(returnTo),
])
if (target === 'refused') refuseReturn()
else if (target) showTarget(target)
const options = { returnTo: findPendingLink() ? '/' : returnTo, requiresSignIn }
providers.append(...found.map((provider) => createProviderLink(provider, options)))
showProviders()
const providerLink = takeLinkOfProvider()
if (!user) void startSuggestions()
else if (providerLink) location.replace(providerLink)
else if (!hasUserActed) await showSignedIn(user)
