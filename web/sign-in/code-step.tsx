import { useEffect, useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import type { ApiFailure } from '../kit/call-api.ts'
import { Checkbox, CodeField, TextField } from '../kit/field.tsx'
import { Form, focusField } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { supportsPasskeys } from '../kit/passkeys.ts'
import { pageData } from '../kit/start-path.ts'
import { type SecondFactorStep, signIn } from './sign-in-flow.ts'
import { describeSignInFailure, type SignIn } from './use-sign-in.ts'

const t = messagesOf('signIn')

interface CodeStepProps {
  readonly page: SignIn
  /** Sends the code. Returns the failure if this step goes on. */
  readonly send: (otp: string, isRemembering: boolean) => Promise<ApiFailure | undefined>
  readonly label?: string
  /** Set if a passkey can replace the code. */
  readonly passkeyToken: string | undefined
  /** For how many days the browser can be remembered. Undefined if it cannot. */
  readonly rememberDays: number | undefined
  readonly isRecovery: boolean
  /** Missing if only one of the two codes helps. */
  readonly onChangeRecovery?: (isRecovery: boolean) => void
  readonly onBack: () => void
}

/** The code of the authenticator app, which goes on at its sixth digit, or a recovery code. */
export const CodeStep = (props: CodeStepProps) => {
  const { page, send, label = t('signIn'), passkeyToken, rememberDays, onBack } = props
  const { isRecovery, onChangeRecovery } = props
  const [code, setCode] = useState('')
  const [isRemembering, setRemembering] = useState(false)
  const [problem, setProblem] = useState<string | undefined>()
  const submit = useAction(async (typed: string) => {
    const otp = typed.trim()
    const failure = otp === '' ? undefined : await send(otp, isRemembering && !isRecovery)
    if (otp === '') setProblem(t('enterCode'))
    else if (isRecovery && isWrongCode(failure)) setProblem(t('recoveryWrong'))
    else if (failure) setProblem(describeSignInFailure(failure))
    if (otp === '' || failure) focusField('otp')
    return undefined
  })
  const passkey = useAction(async () => {
    setProblem(await page.usePasskey(passkeyToken, isRemembering))
    return undefined
  })
  const field = { value: code, onChangeValue: setCode, problem, name: 'otp', required: true, autoFocus: true }
  return (
    <Form isRunning={submit.isRunning} onSubmit={() => void submit.run(code)}>
      {!isRecovery && (
        // Before the code, whose last digit sends it.
        <RememberCheckbox days={rememberDays} isChecked={isRemembering} onChange={setRemembering} />
      )}
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
      {onChangeRecovery && (
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
      )}
      <Button look="quiet" onClick={onBack}>
        {kit('back')}
      </Button>
    </Form>
  )
}

/** Someone without recovery codes is asked for the passkey again. */
const isWrongCode = (failure: ApiFailure | undefined): boolean =>
  ['otp_invalid', 'passkey_required'].includes(failure?.problem.reason ?? '')

interface RememberCheckboxProps {
  readonly days: number | undefined
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}

/** Has the browser remembered, if the service offers that. */
export const RememberCheckbox = ({ days, isChecked, onChange }: RememberCheckboxProps) =>
  days === undefined ? null : (
    <Checkbox label={t('rememberDevice', { count: days })} isChecked={isChecked} onChange={onChange} />
  )

interface PasskeyStepProps extends SecondFactorStep {
  readonly page: SignIn
  readonly onBack: () => void
}

/**
 * The passkey that completes a sign-in with a password. The dialog of the browser opens at once, and again by the button. With a choice to
 * make before, only the button opens it.
 */
export const PasskeyStep = ({ page, credentials, passkeyToken, rememberDays, onBack }: PasskeyStepProps) => {
  const [isRemembering, setRemembering] = useState(false)
  const [problem, setProblem] = useState<string | undefined>()
  const [token, setToken] = useState(passkeyToken)
  const use = useAction(async () => {
    setProblem(undefined)
    const current = token ?? (await renewToken())
    // A token of another network or time does not work again.
    setToken(undefined)
    if (current !== undefined) setProblem(await page.usePasskey(current, isRemembering))
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
    if (supportsPasskeys() && rememberDays === undefined) void use.run()
  }, [])
  const recovery = pageData.passkeysOnly && (
    <Button look="quiet" onClick={() => page.show({ name: 'lostPasskey', credentials })}>
      {t('useRecoveryCode')}
    </Button>
  )
  if (!supportsPasskeys())
    return (
      <div class="stack">
        <p>{t('passkeyHint')}</p>
        <Alert kind="problem">{kit('passkeysUnsupported')}</Alert>
        {recovery}
        <Button look="secondary" onClick={onBack}>
          {kit('back')}
        </Button>
      </div>
    )
  return (
    <div class="stack">
      <p>{t('passkeyHint')}</p>
      <Alert kind="problem">{problem}</Alert>
      <RememberCheckbox days={rememberDays} isChecked={isRemembering} onChange={setRemembering} />
      <Button isRunning={use.isRunning} onClick={use.run}>
        {t('usePasskeyNow')}
      </Button>
      {recovery}
      <Button look="quiet" onClick={onBack}>
        {kit('back')}
      </Button>
    </div>
  )
}
