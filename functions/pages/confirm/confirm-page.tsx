import { useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { callApi } from '../kit/call-api.ts'
import { CardPage } from '../kit/card-page.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { type LinkState, replaceLinkState } from '../kit/link-state.ts'
import { useAction } from '../kit/use-action.ts'
import { t } from './messages.ts'

interface ConfirmPageProps {
  readonly state: LinkState
}

/** The page that confirms an email address. Only its button does, because email scanners also run scripts. */
export const ConfirmPage = ({ state }: ConfirmPageProps) => {
  const { token = '' } = state
  const [isDone, setDone] = useState(state.isDone ?? false)
  const [problem, setProblem] = useState(isDone || token ? undefined : t('incomplete'))
  const confirm = useAction(async () => {
    const response = await callApi('POST', '/api/2/auth/confirm-email', { body: { token } })
    if (response.isOk) {
      replaceLinkState({ isDone: true })
      setDone(true)
      return undefined
    }
    if (response.problem.code !== 'invalid_token') return response
    setProblem(t('used'))
    return undefined
  })
  const failure = confirm.failure && describeFailure(confirm.failure, { conflict: t('taken') })
  if (isDone)
    return (
      <CardPage heading={t('doneHeading')} step="done">
        <p role="status">{t('done')}</p>
        <a class="button secondary" href="/">
          {t('goToSignIn')}
        </a>
      </CardPage>
    )
  return (
    <CardPage heading={t('heading')} step="form">
      {problem === undefined ? (
        <>
          <p role="status">{t('explanation')}</p>
          <Alert kind="problem">{failure}</Alert>
          <Button isRunning={confirm.isRunning} onClick={confirm.run}>
            {t('confirm')}
          </Button>
        </>
      ) : (
        <>
          <Alert kind="problem">
            {problem} {t('getNewLink')}
          </Alert>
          <a class="button secondary" href="/">
            {t('goToSignIn')}
          </a>
        </>
      )}
    </CardPage>
  )
}
