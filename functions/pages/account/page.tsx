import '../kit/kit.css'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { callApi } from '../kit/call-api.ts'
import { CardPage } from '../kit/card-page.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { pageData } from '../kit/page-data.ts'
import { startPage } from '../kit/start-page.tsx'
import { useAction } from '../kit/use-action.ts'
import { accountMessages, t } from './messages.ts'

/** The account of the user who is signed in. */
const AccountPage = () => {
  const signOut = useAction(async () => {
    const response = await callApi('POST', '/api/2/auth/logout')
    if (!response.isOk) return response
    location.assign('/')
    return undefined
  })
  return (
    <CardPage heading={t('heading')} step="overview">
      <p>{t('signedInAs', { name: pageData.user?.displayName ?? '' })}</p>
      <Alert kind="problem">{signOut.failure && describeFailure(signOut.failure)}</Alert>
      <Button look="secondary" isRunning={signOut.isRunning} onClick={signOut.run}>
        {t('signOut')}
      </Button>
    </CardPage>
  )
}

await startPage(AccountPage, [accountMessages])
