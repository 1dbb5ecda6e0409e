import { useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import type { ApiFailure } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { Form } from '../kit/form.tsx'
import { keepSetupTarget } from '../kit/kept-values.ts'
import { leavePage } from '../kit/leave-page.ts'
import { LoadFailure } from '../kit/load-failure.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { CardPage } from '../kit/page-frame.tsx'
import { createPasskey, describePasskeyError, supportsPasskeys } from '../kit/passkeys.ts'
import { startPage } from '../kit/start-page.tsx'
import { pageData } from '../kit/start-path.ts'
import { NewPasswordField } from '../new-password/new-password-field.tsx'
import { describePasswordProblems } from '../new-password/password-policy.ts'
import {
  type Accepted,
  type AcceptProps,
  acceptWithPasskey,
  acceptWithPassword,
  forgetToken,
  type InvitationProvider,
  isJoining,
  keepToken,
  settle,
  startPasskey,
  startProvider,
  useInvitation,
  watchToken,
} from './invitation-api.ts'
import { JoinPage } from './join.tsx'

const t = messagesOf('invite')

const product = pageData.brand.product_name

/** The page behind the link of an invitation: the user chooses how to sign in, and is signed in. */
const InvitePage = () => {
  const { state, retry, end } = useInvitation()
  const [destination, setDestination] = useState<string | undefined>()
  const finish = ({ redirect: given }: Accepted, isForSetup = false) => {
    const redirect = isJoining() ? '/invite' : given
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
        <LoadFailure failure={state.failure} onRetry={retry} />
      </CardPage>
    )
  if (state.step === 'ended')
    return (
      <CardPage heading={t('endedHeading')} step="ended">
        <Alert kind="problem">{t('ended')}</Alert>
        <p>{t('askAgain')}</p>
        <a class="button secondary" href={pageData.signInUrl}>
          {t('goToSignIn')}
        </a>
      </CardPage>
    )
  if (state.step === 'joining') return <JoinPage token={state.token} onEnded={end} />
  const { token, invitation } = state
  const { is_sign_up: isSignUp, invited_by: inviter, username, allows_password: allowsPassword } = invitation
  const props = { token, invitation, onAccepted: finish, onEnded: end }
  // People who sign up have no habit yet, so the better way comes first.
  const isPasskeyFirst = isSignUp && invitation.allows_passkey && supportsPasskeys()
  const introduce = () => {
    if (isSignUp) return t('choose', { username })
    if (username === invitation.email)
      return inviter === null
        ? t('invitedWithAddress', { username })
        : t('invitedByWithAddress', { inviter, username })
    return inviter === null ? t('invited', { username }) : t('invitedBy', { inviter, username })
  }
  return (
    <CardPage heading={t('heading', { product })} step="open">
      <p>{introduce()}</p>
      {pageData.user && <Alert>{t('signedInAsOther', { other: pageData.user.displayName, username })}</Alert>}
      {isPasskeyFirst && <WaysToSignIn {...props} isFirst />}
      {isPasskeyFirst && allowsPassword && <p class="note">{t('orPassword')}</p>}
      {allowsPassword && <PasswordForm {...props} isSecond={isPasskeyFirst} />}
      {!isPasskeyFirst && <WaysToSignIn {...props} />}
    </CardPage>
  )
}

/** Accepts the invitation with a first password. If a second factor is required at once, the form says so first. */
const PasswordForm = ({
  token,
  invitation,
  onAccepted,
  onEnded,
  isSecond,
}: AcceptProps & { readonly isSecond: boolean }) => {
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const accept = useAction(async (isForSetup: boolean): Promise<ApiFailure | undefined> => {
    setMissing(password === '')
    if (password === '') return focusPassword()
    const answer = await acceptWithPassword(token, password, isForSetup)
    const failed = await settle(answer, (accepted) => onAccepted(accepted, isForSetup), onEnded)
    if (failed && describePasswordProblems(failed) !== undefined) focusPassword()
    return failed
  })
  const { failure } = accept
  const needsSetup = failure?.problem.reason === 'second_factor_setup_required'
  const problem = failure && describePasswordProblems(failure)
  return (
    <Form isRunning={accept.isRunning} onSubmit={() => accept.run(needsSetup)}>
      <NewPasswordField
        label={t('password')}
        value={password}
        onChangeValue={setPassword}
        username={invitation.username}
        email={invitation.email}
        policy={invitation.password_policy ?? undefined}
        problem={isMissing && password === '' ? kit('required') : problem}
      />
      {needsSetup && <Alert>{t('needsSecondFactor')}</Alert>}
      <Alert kind="problem">
        {failure && !needsSetup && problem === undefined && describeFailure(failure)}
      </Alert>
      <Button type="submit" look={isSecond ? 'secondary' : 'primary'}>
        {needsSetup ? t('acceptAndSetUp') : t(invitation.is_sign_up ? 'finish' : 'accept')}
      </Button>
    </Form>
  )
}

const focusPassword = (): undefined => {
  document.querySelector<HTMLInputElement>('input[name="new-password"]')?.focus()
}

/** The ways to accept the invitation without a password: a passkey, and accounts of the user's company. */
const WaysToSignIn = ({
  token,
  invitation,
  onAccepted,
  onEnded,
  isFirst = false,
}: AcceptProps & { readonly isFirst?: boolean }) => {
  const { allows_password: allowsPassword, allows_passkey: allowsPasskey, providers } = invitation
  const hasPasskeyButton = allowsPasskey && supportsPasskeys()
  const [refusal, setRefusal] = useState<string | undefined>()
  const passkey = useAction(async () => {
    setRefusal(undefined)
    const options = await startPasskey(token)
    if (!options.isOk) return settle(options, () => undefined, onEnded)
    const credential = await createPasskey(options.body).catch((error: unknown) => {
      setRefusal(describePasskeyError(error))
    })
    if (credential === undefined) return undefined
    return settle(await acceptWithPasskey(token, credential), onAccepted, onEnded)
  })
  const provider = useAction(async (chosen: InvitationProvider) => {
    const leave = ({ url }: { readonly url: string }) => {
      keepToken(token)
      return leavePage(url)
    }
    return settle(await startProvider(token, chosen), leave, onEnded)
  })
  if (!hasPasskeyButton && providers.length === 0)
    return allowsPassword ? null : <Alert kind="problem">{t('noWay')}</Alert>
  const failure = passkey.failure ?? provider.failure
  const look = allowsPassword && !isFirst ? 'secondary' : 'primary'
  return (
    <fieldset class="stack">
      <legend class="note">{t(allowsPassword && !isFirst ? 'otherWays' : 'ways')}</legend>
      {hasPasskeyButton && (
        <Button look={look} isRunning={passkey.isRunning} onClick={passkey.run}>
          {t('createPasskey')}
        </Button>
      )}
      {providers.map((one) => (
        <Button key={one.id} look={look} isRunning={provider.isRunning} onClick={() => provider.run(one)}>
          {t('continueWith', { provider: one.name })}
        </Button>
      ))}
      <Alert kind="problem">
        {failure ? describeFailure(failure, { invalid_request: kit('passkeyNotUsed') }) : refusal}
      </Alert>
    </fieldset>
  )
}

/** Shows the page of an invitation. */
export const startInvitePage = (): Promise<void> => {
  watchToken()
  return startPage(InvitePage)
}
