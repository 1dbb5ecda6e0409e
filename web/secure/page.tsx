import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { EndedLink, SignInLink } from '../kit/ended-link.tsx'
import { type LinkState, useLinkAction, useLinkState } from '../kit/link-state.ts'
import { messagesOf } from '../kit/messages.ts'
import { CardPage } from '../kit/page-frame.tsx'
import { startPage } from '../kit/start-page.tsx'

const t = messagesOf('secure')

interface ReportResult {
  readonly email_restored: boolean
  readonly password_invalidated: boolean
  readonly reset_email_sent: boolean
}

interface SecurePageProps {
  readonly state: LinkState
}

/** The page that the link of a security email opens. Only its button changes something, because scanners run scripts too. */
const SecurePage = ({ state }: SecurePageProps) => {
  const path = '/api/2/auth/security-report'
  const { result, problem, action: report } = useLinkAction<ReportResult>(state, path)
  if (result)
    return (
      <CardPage heading={t('doneHeading')} step="done">
        <div class="stack" role="status">
          <p>{t('done')}</p>
          {result !== 'before' && (
            <>
              {result.email_restored && <p>{t('emailRestored')}</p>}
              {result.password_invalidated && <p>{t('passwordEnded')}</p>}
              {result.reset_email_sent && <p>{t('emailSent')}</p>}
            </>
          )}
        </div>
        <SignInLink label={t('goToSignIn')} />
      </CardPage>
    )
  return (
    <CardPage heading={t('heading')} step="form">
      {problem === undefined ? (
        <>
          <p>{t('explanation')}</p>
          <ul>
            <li>{t('signsOut')}</li>
            <li>{t('removes')}</li>
            <li>{t('restores')}</li>
            <li>{t('ends')}</li>
          </ul>
          <Alert kind="problem">{report.failure && describeFailure(report.failure)}</Alert>
          <Button look="danger" isRunning={report.isRunning} onClick={report.run}>
            {t('report')}
          </Button>
        </>
      ) : (
        <EndedLink problem={t(problem)} advice={t('stillInDanger')} label={t('goToSignIn')} />
      )}
    </CardPage>
  )
}

const Page = () => {
  const link = useLinkState()
  return link ? <SecurePage key={link.visit} state={link.state} /> : null
}

/** Shows the page of the link in a security email. */
export const startSecurePage = (): Promise<void> => startPage(Page)
