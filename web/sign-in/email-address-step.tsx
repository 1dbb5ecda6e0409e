import { useLayoutEffect, useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { callWithProof } from '../kit/call-with-proof.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { TextField } from '../kit/field.tsx'
import { Form, focusField, isEmailAddress } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import type { SignInResult } from './sign-in-flow.ts'
import { putOffEmail, type SignIn } from './use-sign-in.ts'

const t = messagesOf('signIn')

interface EmailAddressStepProps {
  readonly page: SignIn
  readonly result: SignInResult
}

/**
 * Asks an administrator for an email address, or to confirm the one that the account has. Without one, no one can let them in
 * again but someone with access to the table. They are signed in already, and can do it later.
 */
export const EmailAddressStep = ({ page, result }: EmailAddressStepProps) => {
  const [address, setAddress] = useState(result.user.email ?? '')
  const [problem, setProblem] = useState<string | undefined>()
  const [sentTo, setSentTo] = useState<string | undefined>()
  // The script of this step can arrive after the heading has received the focus.
  useLayoutEffect(() => focusField('email'), [])
  const send = useAction(async () => {
    const email = address.trim()
    const isAddress = isEmailAddress(email)
    setProblem(isAddress ? undefined : t('emailAddressInvalid'))
    if (!isAddress) {
      focusField('email')
      return undefined
    }
    const response = await callWithProof('/api/2/users/me/email', { email })
    if (!response.isOk) return response
    setSentTo(email)
    return undefined
  })
  const goOn = useAction(async () => {
    await page.proceed(result)
    return undefined
  })
  const later = useAction(async () => {
    putOffEmail(result.user.id)
    await page.proceed(result)
    return undefined
  })
  if (sentTo !== undefined)
    return (
      <div class="stack">
        <p role="status">{t('emailAddressLinkSent', { address: sentTo })}</p>
        <Button isRunning={goOn.isRunning} onClick={goOn.run}>
          {kit('continue')}
        </Button>
      </div>
    )
  return (
    <Form isRunning={send.isRunning} onSubmit={send.run}>
      <p>{t('emailAddressHint')}</p>
      <Alert kind="problem">
        {send.failure && describeFailure(send.failure, { invalid_request: t('emailAddressInvalid') })}
      </Alert>
      <TextField
        label={t('emailAddress')}
        type="email"
        name="email"
        value={address}
        onChangeValue={setAddress}
        problem={problem}
        autocomplete="email"
        maxLength={255}
        required
        autoFocus
      />
      <Button type="submit">{t('sendLink')}</Button>
      <Button look="quiet" isRunning={later.isRunning} onClick={later.run}>
        {t('later')}
      </Button>
    </Form>
  )
}
