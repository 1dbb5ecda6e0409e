import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { keepSetupTarget } from '../kit/setup-target.ts'
import { useAction } from '../kit/use-action.ts'
import { findPendingLink } from './pending-link.ts'
import { startSetup } from './sign-in-flow.ts'
import { returnTo } from './sign-in-options.ts'
import type { SetupLogin } from './steps.ts'

const t = messagesOf('signIn')

interface SetupStepProps {
  readonly login: SetupLogin
  readonly onBack: () => void
}

/** Leads to the setup of a second factor, which the policy of the service requires. */
export const SetupStep = ({ login, onBack }: SetupStepProps) => {
  const start = useAction(async () => {
    const response = await startSetup(login)
    if (!response.isOk) return response
    keepSetupTarget(findTarget() ?? response.body.redirect ?? undefined)
    location.assign('/account')
    return undefined
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

/** Where the person goes after the setup: to their access link, or through this page to where its address leads. */
const findTarget = (): string | undefined => {
  const query = new URLSearchParams(location.search)
  // They have just signed in.
  query.delete('prompt')
  return findPendingLink() ?? (returnTo === undefined ? undefined : `/?${query}`)
}
