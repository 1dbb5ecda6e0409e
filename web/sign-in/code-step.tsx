import { useEffect, useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import type { ApiFailure } from '../kit/call-api.ts'
import { CodeField, TextField } from '../kit/field.tsx'
import { Form, focusField } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { supportsPasskeys } from '../kit/passkeys.ts'
import { type Credentials, signIn } from './sign-in-flow.ts'
import { describeSignInFailure, type SignIn } from './use-sign-in.ts'

const t = messagesOf('signIn')

interface CodeStepProps {
  readonly page: SignIn
  /** Sends the code. Returns the failure if this step goes on. */
  readonly send: (otp: string) => Promise<ApiFailure | undefined>
  readonly label?: string
  /** Set if a passkey can replace the code. */
  readonly passkeyToken: string | undefined
  readonly isRecovery: boolean
  readonly onChangeRecovery: (isRecovery: boolean) => void
  readonly onBack: () => void
}

/** The code of the authenticator app, which goes on at its sixth digit, or a recovery code. */
export const CodeStep = (props: CodeStepProps) => {
  const { page, send, label = t('signIn'), passkeyToken, isRecovery, onChangeRecovery, onBack } = props
  const [code, setCode] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const submit = useAction(async (typed: string) => {
    const otp = typed.trim()
    const failure = otp === '' ? undefined : await send(otp)
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
    <Form isRunning={submit.isRunning} onSubmit={() => void submit.run(code)}>
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
        <CodeField
          key="app"
          {...field}
          onComplete={(text) => void submit.run(text)}
          label={t('code')}
          hint={t('codeHint')}
          inputMode="numeric"
        />
      )}
      <Button type="submit">{label}</Button>
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

interface PasskeyStepProps {
  readonly page: SignIn
  readonly credentials: Credentials
  readonly passkeyToken: string | undefined
  readonly onBack: () => void
}

/** The passkey that completes a sign-in with a password. The dialog of the browser opens at once, and again by the button. */
export const PasskeyStep = ({ page, credentials, passkeyToken, onBack }: PasskeyStepProps) => {
  const [problem, setProblem] = useState<string | undefined>()
  const [token, setToken] = useState(passkeyToken)
  const use = useAction(async () => {
    setProblem(undefined)
    const current = token ?? (await renewToken())
    // A token of another network or time does not work again.
    setToken(undefined)
    if (current !== undefined) setProblem(await page.usePasskey(current))
    return undefined
  })
  const renewToken = async (): Promise<string | undefined> => {
    const outcome = await signIn(credentials)
    if (outcome.kind === 'step' && outcome.step.name === 'passkey') return outcome.step.passkeyToken
    const failure = await page.finish(outcome)
    if (failure) page.show({ name: 'credentials', problem: kit('problemUnknown') })
    return undefined
  }
  useEffect(() => {
    if (supportsPasskeys()) void use.run()
  }, [])
  if (!supportsPasskeys())
    return (
      <div class="stack">
        <p>{t('passkeyHint')}</p>
        <Alert kind="problem">{kit('passkeysUnsupported')}</Alert>
        <Button look="secondary" onClick={onBack}>
          {kit('back')}
        </Button>
      </div>
    )
  return (
    <div class="stack">
      <p>{t('passkeyHint')}</p>
      <Alert kind="problem">{problem}</Alert>
      <Button isRunning={use.isRunning} onClick={use.run}>
        {t('usePasskeyNow')}
      </Button>
      <Button look="quiet" onClick={onBack}>
        {kit('back')}
      </Button>
    </div>
  )
}
