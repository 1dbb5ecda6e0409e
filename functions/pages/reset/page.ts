import { type ApiFailure, callApi } from '../shared/call-api.ts'
import { getElement, setVisible } from '../shared/elements.ts'
import { onClick, onSubmit } from '../shared/forms.ts'
import { replaceLinkState, watchLinkState } from '../shared/link-state.ts'
import { describeFailure, usedLinkMessage } from '../shared/messages.ts'
import { connectPasswordVisibility } from '../shared/password-visibility.ts'
import { showMessage } from '../shared/show-message.ts'
import { setTitle, showStep } from '../shared/show-step.ts'
import { getSignInAddress } from '../shared/sign-in-address.ts'

const title = document.title
const doneTitle = 'Password changed'
const form = getElement('reset', HTMLFormElement)
const password = getElement('password', HTMLInputElement)
const repeatedPassword = getElement('repeated-password', HTMLInputElement)
const endApiTokens = getElement('end-api-tokens', HTMLInputElement)
const signInLink = getElement('sign-in-link', HTMLAnchorElement)
const setPasswordVisibility = connectPasswordVisibility(['password', 'repeated-password'])
let token = ''

const showForm = (isVisible: boolean): void => {
  form.reset()
  setPasswordVisibility(false)
  form.hidden = !isVisible
  setVisible('next-step', !isVisible)
}

const showDone = (): void => {
  showForm(false)
  signInLink.textContent = 'Sign in'
  showMessage('status', 'Your new password is set. You can now sign in with it.')
}

const showUnusableLink = (message: string): void => {
  showForm(false)
  signInLink.textContent = 'Go to the sign-in page'
  showMessage('status')
  showMessage(
    'problem',
    `${message} To get a new link, go to the sign-in page and choose “Forgot your password?”.`,
  )
}

const showFailure = (failure: ApiFailure): void => {
  if (failure.status === 401 || failure.problem.code === 'invalid_token') {
    showUnusableLink(usedLinkMessage)
    signInLink.focus()
  } else showMessage('problem', ...describeFailure(failure))
}

const setPassword = async (): Promise<void> => {
  showMessage('problem')
  if (password.value !== repeatedPassword.value) return showMessage('problem', 'The passwords do not match.')
  const body = { token, password: password.value, ...(endApiTokens.checked ? { end_api_tokens: true } : {}) }
  const response = await callApi('POST', '/api/2/auth/reset-password', { body })
  if (!response.isOk) return showFailure(response)
  replaceLinkState({ isDone: true })
  showDone()
  showStep(doneTitle)
}

const suggestPassword = async (): Promise<void> => {
  showMessage('problem')
  const path = '/api/2/auth/generate-password'
  const response = await callApi<{ readonly password: string }>('POST', path, { bearer: token })
  if (!response.isOk) return showFailure(response)
  setPasswordVisibility(true)
  password.value = response.body.password
  repeatedPassword.value = response.body.password
  password.select()
  showMessage('status', 'Save this password in your password manager before you continue.')
}

signInLink.href = getSignInAddress()
onSubmit('reset', setPassword)
onClick('suggest', 'reset', suggestPassword)

await watchLinkState((state) => {
  token = state.token ?? ''
  setTitle(state.isDone ? doneTitle : title)
  showMessage('problem')
  showMessage('status')
  if (state.isDone) showDone()
  else if (token) showForm(true)
  else showUnusableLink('This link is incomplete. Open it again from the email.')
})
