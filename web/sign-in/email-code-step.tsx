import { useEffect, useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { describeWait } from '../kit/describe-failure.ts'
import { CodeField } from '../kit/field.tsx'
import { Form, focusField } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { RememberCheckbox } from './code-step.tsx'
import { requestEmailCode, signInWithEmailCode } from './sign-in-flow.ts'
import { describeSignInFailure, type SignIn } from './use-sign-in.ts'

const t = messagesOf('signIn')

interface EmailCodeStepProps {
  readonly page: SignIn
  /** Whom codes are sent to. */
  readonly username: string
  readonly requestId: string
  readonly onBack: () => void
}

/** Emails take a moment, and a new code ends the one before. */
const resendSeconds = 30

/** The code from an email. It belongs to this request, so a code of another browser does not work. */
export const EmailCodeStep = ({ page, username, requestId, onBack }: EmailCodeStepProps) => {
  const [code, setCode] = useState('')
  const [otp, setOtp] = useState('')
  const [asksForOtp, setAsksForOtp] = useState(false)
  const [rememberDays, setRememberDays] = useState<number | undefined>()
  const [isRemembering, setRemembering] = useState(false)
  const [problem, setProblem] = useState<string | undefined>()
  const [wait, setWait] = useState(resendSeconds)
  useEffect(() => {
    if (wait === 0) return
    const timer = setTimeout(() => setWait(wait - 1), 1000)
    return () => clearTimeout(timer)
  }, [wait])
  const resend = useAction(async () => {
    setProblem(undefined)
    const response = await requestEmailCode(username)
    if (!response.isOk) return response
    setCode('')
    setWait(resendSeconds)
    page.show({ name: 'emailCode', username, requestId: response.body.request_id })
    focusField('email-code')
    return undefined
  })
  const submit = useAction(async (code: string) => {
    setProblem(undefined)
    if (code.trim() === '') {
      setProblem(t('enterCode'))
      focusField('email-code')
      return undefined
    }
    const failure = await page.finish(
      await signInWithEmailCode(requestId, code.trim(), { otp: otp.trim(), isRemembering }),
    )
    if (!failure) return undefined
    const isOtpNext = failure.problem.reason === 'otp_required' && !asksForOtp
    setAsksForOtp(asksForOtp || isOtpNext)
    if (isOtpNext) setRememberDays(failure.problem.remember_device_days)
    if (!isOtpNext) setProblem(describeSignInFailure(failure))
    return undefined
  })
  return (
    <Form isRunning={submit.isRunning} onSubmit={() => void submit.run(code)}>
      <p role="status">{t('emailCodeHint')}</p>
      <Alert kind="problem">{problem ?? (resend.failure && describeSignInFailure(resend.failure))}</Alert>
      <CodeField
        label={t('emailCode')}
        name="email-code"
        digits={8}
        value={code}
        onChangeValue={setCode}
        onComplete={asksForOtp ? undefined : submit.run}
        required
        autoFocus
      />
      {asksForOtp && (
        <CodeField
          label={t('code')}
          hint={t('codeHint')}
          name="otp"
          value={otp}
          onChangeValue={setOtp}
          required
        />
      )}
      <RememberCheckbox days={rememberDays} isChecked={isRemembering} onChange={setRemembering} />
      <Button type="submit">{t('signIn')}</Button>
      {wait > 0 ? (
        <p class="hint">{t('resendLater', { wait: describeWait(wait) })}</p>
      ) : (
        <Button look="quiet" isRunning={resend.isRunning} onClick={resend.run}>
          {t('resend')}
        </Button>
      )}
      <Button look="quiet" onClick={onBack}>
        {kit('back')}
      </Button>
    </Form>
  )
}
