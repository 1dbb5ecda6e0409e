import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { type LinkState, useLinkAction, useLinkState } from '../kit/link-state.ts'
import { messagesOf } from '../kit/messages.ts'
import { CardPage } from '../kit/page-frame.tsx'
import { startPage } from '../kit/start-page.tsx'

const t = messagesOf('confirm')

interface ConfirmPageProps {
  readonly state: LinkState
}

/** The page that confirms an email address. Only its button does, because email scanners also run scripts. */
const ConfirmPage = ({ state }: ConfirmPageProps) => {
  const { result, problem, action: confirm } = useLinkAction(state, '/api/2/auth/confirm-email')
  const failure = confirm.failure && describeFailure(confirm.failure, { conflict: t('taken') })
  if (result)
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
            {t(problem)} {t('getNewLink')}
          </Alert>
          <a class="button secondary" href="/">
            {t('goToSignIn')}
          </a>
        </>
      )}
    </CardPage>
  )
}

const Page = () => {
  const link = useLinkState()
  return link ? <ConfirmPage key={link.visit} state={link.state} /> : null
}

/** Shows the page that confirms an email address. */
export const startConfirmPage = (): Promise<void> => startPage(Page)
