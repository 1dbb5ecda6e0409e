import { useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { Form, focusField } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { useAction } from '../kit/use-action.ts'
import { signInWithEmailCode } from './sign-in-flow.ts'
import type { SignIn } from './use-sign-in.ts'
import { describeSignInFailure } from './use-sign-in.ts'

const t = messagesOf('signIn')

interface EmailCodeStepProps {
  readonly page: SignIn
  readonly requestId: string
  readonly onBack: () => void
}

/** The code from an email. It belongs to this request, so a code of another browser does not work. */
export const EmailCodeStep = ({ page, requestId, onBack }: EmailCodeStepProps) => {
  const [code, setCode] = useState('')
  const [otp, setOtp] = useState('')
  const [asksForOtp, setAsksForOtp] = useState(false)
  const [problem, setProblem] = useState<string | undefined>()
  const submit = useAction(async () => {
    setProblem(undefined)
    if (code.trim() === '') {
      setProblem(t('enterCode'))
      focusField('email-code')
      return undefined
    }
    const failure = await page.finish(await signInWithEmailCode(requestId, code.trim(), otp.trim()))
    if (!failure) return undefined
    const isOtpNext = failure.problem.reason === 'otp_required' && !asksForOtp
    setAsksForOtp(asksForOtp || isOtpNext)
    if (!isOtpNext) setProblem(describeSignInFailure(failure))
    return undefined
  })
  return (
    <Form onSubmit={submit.run}>
      <p role="status">{t('emailCodeHint')}</p>
      <Alert kind="problem">{problem}</Alert>
      <TextField
        label={t('emailCode')}
        name="email-code"
        value={code}
        onChangeValue={setCode}
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck={false}
        required
        autoFocus
      />
      {asksForOtp && (
        <TextField
          label={t('code')}
          hint={t('codeHint')}
          name="otp"
          value={otp}
          onChangeValue={setOtp}
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck={false}
          required
        />
      )}
      <Button type="submit" isRunning={submit.isRunning}>
        {t('signIn')}
      </Button>
      <Button look="quiet" onClick={onBack}>
        {kit('back')}
      </Button>
    </Form>
  )
}
