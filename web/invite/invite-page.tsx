import { useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { CardPage } from '../kit/card-page.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/page-data.ts'
import { keepSetupTarget } from '../kit/setup-target.ts'
import type { Accepted } from './invitation-api.ts'
import { forgetToken } from './kept-token.ts'
import { PasswordForm } from './password-form.tsx'
import { useInvitation } from './use-invitation.ts'
import { WaysToSignIn } from './ways-to-sign-in.tsx'

const t = messagesOf('invite')

const product = pageData.brand.productName

/** The page behind the link of an invitation: the user chooses how to sign in, and is signed in. */
export const InvitePage = () => {
  const { state, retry, end } = useInvitation()
  const [destination, setDestination] = useState<string | undefined>()
  const finish = ({ redirect }: Accepted, isForSetup = false) => {
    if (isForSetup) keepSetupTarget(redirect)
    const next = isForSetup || redirect === undefined ? '/account' : redirect
    forgetToken()
    setDestination(next)
    location.replace(next)
  }
  if (destination !== undefined)
    return (
      <CardPage heading={t('heading', { product })} step="done">
        <Alert kind="success">{t('accepted')}</Alert>
        <a class="button primary" href={destination}>
          {kit('continue')}
        </a>
      </CardPage>
    )
  if (state.step === 'checking')
    return (
      <CardPage heading={t('heading', { product })} step="checking">
        <p role="status">{kit('loading')}</p>
      </CardPage>
    )
  if (state.step === 'failed')
    return (
      <CardPage heading={t('heading', { product })} step="failed">
        <Alert kind="problem">{describeFailure(state.failure)}</Alert>
        <Button look="secondary" onClick={retry}>
          {kit('retry')}
        </Button>
      </CardPage>
    )
  if (state.step === 'ended')
    return (
      <CardPage heading={t('endedHeading')} step="ended">
        <Alert kind="problem">{t('ended')}</Alert>
        <p>{t('askAgain')}</p>
        <a href={pageData.signInUrl}>{t('goToSignIn')}</a>
      </CardPage>
    )
  const { token, invitation } = state
  const { invited_by: inviter, username, allows_password: allowsPassword } = invitation
  return (
    <CardPage heading={t('heading', { product })} step="open">
      <p>{inviter === null ? t('invited', { username }) : t('invitedBy', { inviter, username })}</p>
      {pageData.user && <Alert>{t('signedInAsOther', { other: pageData.user.displayName, username })}</Alert>}
      {allowsPassword && (
        <PasswordForm token={token} invitation={invitation} onAccepted={finish} onEnded={end} />
      )}
      <WaysToSignIn token={token} invitation={invitation} onAccepted={finish} onEnded={end} />
    </CardPage>
  )
}
