import { useEffect, useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { supportsPasskeys } from '../kit/passkeys.ts'
import { useAction } from '../kit/use-action.ts'
import { signIn } from './sign-in-flow.ts'
import type { Credentials } from './steps.ts'
import type { SignIn } from './use-sign-in.ts'

const t = messagesOf('signIn')

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
