import { useState } from 'preact/hooks'
import { Alert } from '../../kit/alert.tsx'
import { Button } from '../../kit/button.tsx'
import { callApi } from '../../kit/call-api.ts'
import { describeFailure } from '../../kit/describe-failure.ts'
import { TextField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { createPasskey, describePasskeyError, supportsPasskeys } from '../../kit/passkeys.ts'
import { useConfirmedAction } from '../../session-kit/use-confirmed-action.ts'
import { useAccount } from '../account-state.ts'
import { signInWithNewPasskey } from './leave-setup.ts'
import { longestPasskeyName } from './passkey-dialogs.tsx'

const t = messagesOf('security')

interface AddPasskeyProps {
  readonly isSetup: boolean
  readonly onAdd: () => Promise<void>
}

const path = '/api/2/users/me/passkeys'

/** Has the browser create a passkey, and stores it. */
export const AddPasskey = ({ isSetup, onAdd }: AddPasskeyProps) => {
  const { announce } = useAccount()
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [problem, setProblem] = useState('')
  const [isAdded, setAdded] = useState(false)
  const add = useConfirmedAction(async () => {
    announce('')
    setProblem('')
    setMissing(!name.trim())
    if (!name.trim()) return undefined
    const start = await callApi<PublicKeyCredentialCreationOptionsJSON>('POST', `${path}/options`)
    if (!start.isOk) return start
    const credential = await createPasskey(start.body).catch((error: unknown) =>
      setProblem(describePasskeyError(error)),
    )
    if (!credential) return undefined
    const response = await callApi('POST', path, { body: { name: name.trim(), credential } })
    if (!response.isOk) return response
    setName('')
    setAdded(true)
    await onAdd()
    announce(isSetup ? t('passkeyAddedInSetup') : t('passkeyAdded'))
    return undefined
  })
  if (!supportsPasskeys()) return <p>{kitText('passkeysUnsupported')}</p>
  if (isSetup && isAdded)
    return (
      <div class="row">
        <Button onClick={signInWithNewPasskey}>{t('signInAgain')}</Button>
      </div>
    )
  const { failure } = add
  return (
    <Form onSubmit={add.run}>
      <TextField
        label={t('passkeyName')}
        name="passkey-name"
        autocomplete="off"
        maxLength={longestPasskeyName}
        problem={isMissing && kitText('required')}
        value={name}
        onChangeValue={setName}
      />
      <Alert kind="problem">
        {failure ? describeFailure(failure, { too_many_passkeys: t('tooManyPasskeys') }) : problem}
      </Alert>
      <div class="row">
        <Button type="submit" isRunning={add.isRunning}>
          {t('addPasskey')}
        </Button>
      </div>
    </Form>
  )
}
