import { type ApiFailure, callApi } from '../shared/call-api.ts'
import { getElement, setVisible } from '../shared/elements.ts'
import { onClick, onSubmit } from '../shared/forms.ts'
import { describeFailure, unreachableMessage } from '../shared/messages.ts'
import {
  createPasskey,
  describePasskeyError,
  passkeysUnsupportedMessage,
  supportsPasskeys,
} from '../shared/passkeys.ts'
import { showMessage } from '../shared/show-message.ts'
import { confirmBefore, connectConfirmation } from './confirm-identity.ts'
import { createPasskeyItem, getFormId, getNameId, getRemoveButtonId, type Passkey } from './passkey-item.ts'

const path = '/api/2/users/me/passkeys'
const name = getElement('name', HTMLInputElement)
const isRequired = getElement('required-with-password', HTMLInputElement)

interface Settings {
  readonly required_with_password: boolean
}

const showFailure = (response: ApiFailure, retry: () => Promise<void>): void => {
  if (response.problem.reason === 'reauthentication_required') {
    confirmBefore(retry)
    return
  }
  showMessage('problem', ...describeFailure(response))
  if (response.status === 401) {
    setVisible('manage', false)
    setVisible('next-step', true)
  }
}

const showPasskeys = (passkeys: readonly Passkey[]): void => {
  getElement('passkeys', HTMLUListElement).replaceChildren(...passkeys.map(createPasskeyItem))
  for (const passkey of passkeys) {
    onSubmit(getFormId(passkey), () => rename(passkey))
    onClick(getRemoveButtonId(passkey), getFormId(passkey), () => remove(passkey))
  }
  setVisible('settings', passkeys.length > 0)
  setVisible('confirm-with-passkey', passkeys.length > 0 && supportsPasskeys())
}

/** Loads the passkeys and settings. Returns whether the user is signed in. */
const load = async (): Promise<boolean> => {
  const [list, settings] = await Promise.all([
    callApi<readonly Passkey[]>('GET', `${path}?ordering=created_at`),
    callApi<Settings>('GET', `${path}/settings`),
  ])
  if (!list.isOk || !settings.isOk) {
    const failure = list.isOk ? settings : list
    if (!failure.isOk) showFailure(failure, async () => {})
    return false
  }
  showPasskeys(list.body)
  isRequired.checked = settings.body.required_with_password
  return true
}

/** Sends a change, shows its result, and loads the list again. */
const change = async (
  method: 'PUT' | 'PATCH' | 'DELETE',
  target: string,
  { body, message }: { readonly body?: Readonly<Record<string, unknown>>; readonly message: string },
): Promise<void> => {
  showMessage('problem')
  showMessage('status')
  const response = await callApi(method, target, body ? { body } : {})
  if (!response.isOk)
    return showFailure(response, () => change(method, target, { ...(body && { body }), message }))
  await load()
  showMessage('status', message)
}

const rename = (passkey: Passkey): Promise<void> => {
  const newName = getElement(getNameId(passkey), HTMLInputElement).value
  return change('PATCH', `${path}/${passkey.id}`, { body: { name: newName }, message: 'The name is saved.' })
}

const remove = async (passkey: Passkey): Promise<void> => {
  if (!confirm(`Remove the passkey "${passkey.name}"? Your other sessions end.`)) return
  await change('DELETE', `${path}/${passkey.id}`, {
    message: 'The passkey is removed. Remove it from your device as well.',
  })
}

const saveSettings = (): Promise<void> =>
  change('PUT', `${path}/settings`, {
    body: { required_with_password: isRequired.checked },
    message: isRequired.checked
      ? 'Your password now also requires a passkey.'
      : 'Your password works without a passkey.',
  })

const add = async (): Promise<void> => {
  showMessage('problem')
  showMessage('status')
  if (!supportsPasskeys()) return showMessage('problem', passkeysUnsupportedMessage)
  const start = await callApi<PublicKeyCredentialCreationOptionsJSON>('POST', `${path}/options`)
  if (!start.isOk) return showFailure(start, add)
  try {
    const credential = await createPasskey(start.body)
    const response = await callApi('POST', path, { body: { name: name.value, credential } })
    if (!response.isOk) return showFailure(response, add)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    return showMessage('problem', describePasskeyError(error))
  }
  name.value = ''
  await load()
  showMessage('status', 'The passkey is added. You can sign in with it.')
}

connectConfirmation()
onSubmit('add', add)
onSubmit('settings', saveSettings)
try {
  setVisible('manage', await load())
} catch {
  showMessage('problem', unreachableMessage)
}
