import { callApi } from '../shared/call-api.ts'
import { getElement, setVisible } from '../shared/elements.ts'
import { onSubmit } from '../shared/forms.ts'
import { replaceLinkState, watchLinkState } from '../shared/link-state.ts'
import { describeFailure, usedLinkMessage } from '../shared/messages.ts'
import { showMessage } from '../shared/show-message.ts'
import { setTitle, showStep } from '../shared/show-step.ts'

interface ReportResult {
  readonly email_restored: boolean
  readonly password_invalidated: boolean
  readonly reset_email_sent: boolean
}

const title = document.title
const doneTitle = 'Your account is secured'
const doneMessage = 'Everyone was signed out, and what was added since then was removed.'
let token = ''

const showForm = (isVisible: boolean): void => {
  getElement('report', HTMLFormElement).hidden = !isVisible
  setVisible('next-step', !isVisible)
}

const describeResult = (result: ReportResult): readonly string[] => [
  doneMessage,
  ...(result.email_restored ? ['The account has its previous email address again.'] : []),
  ...(result.password_invalidated ? ['Your password no longer works.'] : []),
  ...(result.reset_email_sent ? ['You get an email with a link to choose a new password.'] : []),
]

const showUnusableLink = (message: string): void => {
  showForm(false)
  showMessage(
    'problem',
    `${message} If your account is still in danger, reset your password or ask an administrator.`,
  )
}

const report = async (): Promise<void> => {
  showMessage('problem')
  const response = await callApi<ReportResult>('POST', '/api/2/auth/security-report', { body: { token } })
  if (!response.isOk) {
    if (response.problem.code === 'invalid_token') showUnusableLink(usedLinkMessage)
    else showMessage('problem', ...describeFailure(response))
    return
  }
  replaceLinkState({ isDone: true })
  showForm(false)
  showMessage('status', ...describeResult(response.body))
  showStep(doneTitle)
}

onSubmit('report', report)

await watchLinkState((state) => {
  token = state.token ?? ''
  setTitle(state.isDone ? doneTitle : title)
  showMessage('problem')
  showMessage('status')
  showForm(Boolean(token))
  if (state.isDone) showMessage('status', doneMessage)
  else if (!token) showUnusableLink('This link is incomplete. Open it again from the email.')
})
