import { useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { callWithProof } from '../kit/call-with-proof.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { TextField } from '../kit/field.tsx'
import { Form, focusField } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { keepSignInQuery } from '../kit/sign-in-address.ts'

const t = messagesOf('signIn')

interface ForgotPasswordStepProps {
  readonly username: string
  readonly isSent: boolean
  readonly onSent: () => void
  readonly onBack: () => void
}

/** Has a reset link emailed. The answer is the same for accounts that do not exist. */
export const ForgotPasswordStep = (props: ForgotPasswordStepProps) => {
  const { isSent, onSent, onBack } = props
  const [username, setUsername] = useState(props.username)
  const [isMissing, setMissing] = useState(false)
  const send = useAction(async () => {
    const name = username.trim()
    setMissing(name === '')
    if (name === '') {
      focusField('username')
      return undefined
    }
    const body = name.includes('@') ? { email: name } : { username: name }
    const response = await callWithProof('/api/2/auth/reset-password/request', body)
    if (!response.isOk) return response
    keepSignInQuery()
    onSent()
    return undefined
  })
  if (isSent)
    return (
      <div class="stack">
        <p role="status">{t('linkSent')}</p>
        <Button look="secondary" onClick={onBack}>
          {t('backToSignIn')}
        </Button>
      </div>
    )
  return (
    <Form isRunning={send.isRunning} onSubmit={send.run}>
      <p>{t('forgotHint')}</p>
      <Alert kind="problem">{send.failure && describeFailure(send.failure)}</Alert>
      <TextField
        label={t('username')}
        name="username"
        value={username}
        onChangeValue={setUsername}
        problem={isMissing && t('enterUsername')}
        autocomplete="username"
        autocapitalize="none"
        spellcheck={false}
        required
        autoFocus
      />
      <Button type="submit">{t('sendLink')}</Button>
      <Button look="quiet" onClick={onBack}>
        {kit('back')}
      </Button>
    </Form>
  )
}
