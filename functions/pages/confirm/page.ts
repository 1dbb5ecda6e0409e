import { callApi } from '../shared/call-api.ts'
import { getElement, setVisible } from '../shared/elements.ts'
import { onSubmit } from '../shared/forms.ts'
import { replaceLinkState, watchLinkState } from '../shared/link-state.ts'
import { describeFailure, usedLinkMessage } from '../shared/messages.ts'
import { showMessage } from '../shared/show-message.ts'
import { setTitle, showStep } from '../shared/show-step.ts'

const title = document.title
const doneTitle = 'Email address confirmed'
const signInLink = getElement('sign-in-link', HTMLAnchorElement)
let token = ''

const showForm = (isVisible: boolean): void => {
  setVisible('confirm', isVisible)
  setVisible('next-step', !isVisible)
}

const showDone = (): void => {
  showForm(false)
  showMessage('status', 'Your email address is confirmed. You can close this page.')
}

const showUnusableLink = (message: string): void => {
  showForm(false)
  showMessage('status')
  showMessage('problem', `${message} To get a new link, sign in or ask an administrator.`)
}

/** The address is only confirmed by the button, because email scanners also run scripts. */
const confirmAddress = async (): Promise<void> => {
  showMessage('problem')
  const response = await callApi('POST', '/api/2/auth/confirm-email', { body: { token } })
  if (response.isOk) {
    replaceLinkState({ isDone: true })
    showDone()
    showStep(doneTitle)
  } else if (response.problem.code === 'invalid_token') {
    showUnusableLink(usedLinkMessage)
    signInLink.focus()
  } else if (response.problem.code === 'conflict')
    showMessage('problem', 'Another account uses this address. Ask an administrator.')
  else showMessage('problem', ...describeFailure(response))
}

onSubmit('confirm', confirmAddress)

await watchLinkState((state) => {
  token = state.token ?? ''
  setTitle(state.isDone ? doneTitle : title)
  showMessage('problem')
  showMessage('status')
  if (state.isDone) return showDone()
  if (!token) return showUnusableLink('This link is incomplete. Open it again from the email.')
  showForm(true)
  showMessage('status', 'Confirm that this email address is yours.')
})
