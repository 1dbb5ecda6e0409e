import { useState } from 'preact/hooks'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { focusField } from '../kit/focus-field.ts'
import { Form } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { supportsPasskeys } from '../kit/passkeys.ts'
import { useAction } from '../kit/use-action.ts'
import { describeSignInFailure } from './describe-sign-in-failure.ts'
import { signIn } from './sign-in-flow.ts'
import type { Credentials } from './steps.ts'
import type { SignIn } from './use-sign-in.ts'

const t = messagesOf('signIn')

interface CodeStepProps {
  readonly page: SignIn
  readonly credentials: Credentials
  /** Set if a passkey can replace the code. */
  readonly passkeyToken: string | undefined
  readonly isRecovery: boolean
  readonly onChangeRecovery: (isRecovery: boolean) => void
  readonly onBack: () => void
}

/** The code of the authenticator app, or a recovery code. */
export const CodeStep = (props: CodeStepProps) => {
  const { page, credentials, passkeyToken, isRecovery, onChangeRecovery, onBack } = props
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const submit = useAction(async () => {
    const otp = code.trim()
    const failure = otp === '' ? undefined : await page.finish(await signIn({ ...credentials, otp }))
    if (otp === '') setProblem(t('enterCode'))
    else if (failure?.problem.reason === 'otp_invalid' && isRecovery) setProblem(t('recoveryWrong'))
    else if (failure) setProblem(describeSignInFailure(failure))
    if (otp === '' || failure) focusField('otp')
    return undefined
  })
  const passkey = useAction(async () => {
    setProblem(await page.usePasskey(passkeyToken))
    return undefined
  })
  const field = { value: code, onChangeValue: setCode, problem, name: 'otp', required: true, autoFocus: true }
  return (
    <Form onSubmit={submit.run}>
      {isRecovery ? (
        <TextField
          key="recovery"
          {...field}
          label={t('recoveryCode')}
          hint={t('recoveryHint')}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
      ) : (
        <TextField
          key="app"
          {...field}
          label={t('code')}
          hint={t('codeHint')}
          autocomplete="one-time-code"
          inputMode="numeric"
        />
      )}
      <Button type="submit" isRunning={submit.isRunning}>
        {t('signIn')}
      </Button>
      {passkeyToken !== undefined && supportsPasskeys() && (
        <Button look="secondary" isRunning={passkey.isRunning} onClick={passkey.run}>
          {t('usePasskeyInstead')}
        </Button>
      )}
      <Button
        look="quiet"
        onClick={() => {
          setCode('')
          setProblem(undefined)
          onChangeRecovery(!isRecovery)
        }}
      >
        {isRecovery ? t('useAppCode') : t('useRecoveryCode')}
      </Button>
      <Button look="quiet" onClick={onBack}>
        {kit('back')}
      </Button>
    </Form>
  )
}
