import { useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { messagesOf } from '../kit/messages.ts'
import { addPasskey } from '../kit/passkeys.ts'
import type { SignInResult } from './sign-in-flow.ts'
import type { SignIn } from './use-sign-in.ts'

const t = messagesOf('signIn')

interface PasskeyOfferStepProps {
  readonly page: SignIn
  readonly result: SignInResult
}

/** Offers a passkey after a sign-in with a password. The person is signed in already, and goes on with or without one. */
export const PasskeyOfferStep = ({ page, result }: PasskeyOfferStepProps) => {
  const [problem, setProblem] = useState<string | undefined>()
  const add = useAction(async () => {
    setProblem(undefined)
    const stopped = await addPasskey('', t('passkeyName'))
    if (stopped === undefined) await page.proceed(result)
    else setProblem(typeof stopped === 'string' ? stopped : describeFailure(stopped))
    return undefined
  })
  const later = useAction(async () => {
    await page.proceed(result)
    return undefined
  })
  return (
    <div class="stack">
      <p>{t('passkeyOfferHint')}</p>
      <Alert kind="problem">{problem}</Alert>
      <Button isRunning={add.isRunning} onClick={add.run}>
        {t('createPasskey')}
      </Button>
      <Button look="quiet" isRunning={later.isRunning} onClick={later.run}>
        {t('notNow')}
      </Button>
    </div>
  )
}
