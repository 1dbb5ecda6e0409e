import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { t as kit } from '../kit/messages.ts'
import { useAction } from '../kit/use-action.ts'
import { t } from './messages.ts'
import { startSetup } from './sign-in-flow.ts'
import type { SetupLogin } from './steps.ts'

interface SetupStepProps {
  readonly login: SetupLogin
  readonly onBack: () => void
}

/** Leads to the setup of a second factor, which the policy of the service requires. */
export const SetupStep = ({ login, onBack }: SetupStepProps) => {
  const start = useAction(async () => {
    const failure = await startSetup(login)
    if (!failure) location.assign('/account')
    return failure
  })
  return (
    <div class="stack">
      <p>{t('setupHint')}</p>
      <Alert kind="problem">{start.failure && describeFailure(start.failure)}</Alert>
      <Button isRunning={start.isRunning} onClick={start.run}>
        {t('setUp')}
      </Button>
      <Button look="quiet" onClick={onBack}>
        {kit('back')}
      </Button>
    </div>
  )
}
