import { type ApiResponse, callApi } from '../shared/call-api.ts'
import { getElement, setVisible } from '../shared/elements.ts'
import { onClick, onSubmit } from '../shared/forms.ts'
import { describeFailure } from '../shared/messages.ts'
import { describePasskeyError, requestPasskey } from '../shared/passkeys.ts'
import { showMessage } from '../shared/show-message.ts'

const password = getElement('password', HTMLInputElement)
const code = getElement('code', HTMLInputElement)

/** What the user wanted to do when the service asked for a proof of their identity. */
let pendingAction: (() => Promise<void>) | undefined

const showConfirmation = (isVisible: boolean): void => {
  setVisible('confirm', isVisible)
  setVisible('manage', !isVisible)
  password.value = ''
  code.value = ''
  code.required = false
  setVisible('code-field', false)
}

/** Asks the user to confirm their identity, and runs the action after that. */
export const confirmBefore = (action: () => Promise<void>): void => {
  pendingAction = action
  showConfirmation(true)
  password.focus()
}

const finish = async (response: ApiResponse<unknown>): Promise<void> => {
  if (!response.isOk) {
    if (response.problem.reason === 'otp_required') {
      setVisible('code-field', true)
      code.required = true
      code.focus()
    }
    return showMessage('problem', ...describeFailure(response))
  }
  showConfirmation(false)
  await pendingAction?.()
}

const confirmWithPassword = async (): Promise<void> => {
  showMessage('problem')
  const body = { password: password.value, ...(code.value ? { otp: code.value } : {}) }
  await finish(await callApi('POST', '/api/2/auth/reauthenticate', { body }))
}

const confirmWithPasskey = async (): Promise<void> => {
  showMessage('problem')
  const path = '/api/2/auth/passkeys/reauthenticate'
  const start = await callApi<PublicKeyCredentialRequestOptionsJSON>('POST', `${path}/options`)
  if (!start.isOk) return showMessage('problem', ...describeFailure(start))
  try {
    const credential = await requestPasskey(start.body)
    await finish(await callApi('POST', path, { body: { credential } }))
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    showMessage('problem', describePasskeyError(error))
  }
}

const cancel = async (): Promise<void> => {
  pendingAction = undefined
  showMessage('problem')
  showConfirmation(false)
}

/** Connects the form to its actions. */
export const connectConfirmation = (): void => {
  onSubmit('confirm', confirmWithPassword)
  onClick('confirm-with-passkey', 'confirm', confirmWithPasskey)
  onClick('cancel', 'confirm', cancel)
}
