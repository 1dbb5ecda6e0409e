import { useEffect, useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { callApi } from '../kit/call-api.ts'
import { CardPage } from '../kit/card-page.tsx'
import { type LinkState, replaceLinkState } from '../kit/link-state.ts'
import { messagesOf } from '../kit/messages.ts'
import { getSignInAddress } from '../kit/sign-in-address.ts'
import type { LinkAccount } from './link-account.ts'
import { ResetForm } from './reset-form.tsx'

const t = messagesOf('reset')

type View = 'checking' | 'form' | 'done' | 'incomplete' | 'used'

const chooseView = ({ isDone, token }: LinkState): View => {
  if (isDone) return 'done'
  return token ? 'checking' : 'incomplete'
}

/** Asks whose link it is. The form also works without the answer. */
const fetchAccount = async (token: string): Promise<LinkAccount | 'used'> => {
  const path = '/api/2/auth/evaluate-password'
  const response = await callApi<LinkAccount>('POST', path, { bearer: token, body: { password: '-' } })
  if (response.isOk) return response.body
  return response.status === 401 ? 'used' : {}
}

interface ResetPageProps {
  readonly state: LinkState
}

/** The page that a password reset link opens. */
export const ResetPage = ({ state }: ResetPageProps) => {
  const { token = '' } = state
  const [view, setView] = useState(() => chooseView(state))
  const [account, setAccount] = useState<LinkAccount>({})
  useEffect(() => {
    if (view !== 'checking') return
    void fetchAccount(token).then((found) => {
      if (found !== 'used') setAccount(found)
      setView(found === 'used' ? 'used' : 'form')
    })
  }, [])
  const finish = () => {
    replaceLinkState({ isDone: true })
    setView('done')
  }
  return (
    <CardPage
      heading={view === 'done' ? t('doneHeading') : t('heading')}
      step={view === 'done' ? 'done' : 'form'}
    >
      {view === 'checking' && <p role="status">{t('checking')}</p>}
      {view === 'form' && (
        <ResetForm token={token} account={account} onDone={finish} onUsed={() => setView('used')} />
      )}
      {view === 'done' && (
        <>
          <p role="status">{t('done')}</p>
          <a class="button primary" href={getSignInAddress()}>
            {t('signIn')}
          </a>
        </>
      )}
      {(view === 'incomplete' || view === 'used') && (
        <>
          <Alert kind="problem">
            {view === 'used' ? t('used') : t('incomplete')} {t('getNewLink')}
          </Alert>
          <a class="button secondary" href={getSignInAddress()}>
            {t('goToSignIn')}
          </a>
        </>
      )}
    </CardPage>
  )
}
