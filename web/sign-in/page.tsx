import './page.css'
import { useEffect, useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import type { ApiFailure } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { keepSetupTarget } from '../kit/kept-values.ts'
import { leavePage } from '../kit/leave-page.ts'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { CardPage } from '../kit/page-frame.tsx'
import { startPage } from '../kit/start-page.tsx'
import { pageData } from '../kit/start-path.ts'
import { CodeStep, PasskeyStep } from './code-step.tsx'
import { CredentialsStep, findFirstUsername } from './credentials-step.tsx'
import { EmailAddressStep } from './email-address-step.tsx'
import { EmailCodeStep } from './email-code-step.tsx'
import { findFirstStep } from './first-step.ts'
import { ForgotPasswordStep } from './forgot-password-step.tsx'
import { NewPasswordStep } from './new-password-step.tsx'
import { PasskeyOfferStep } from './passkey-offer-step.tsx'
import {
  addCode,
  buildRecoveryLogin,
  type SetupLogin,
  type Step,
  signIn,
  startSetup,
} from './sign-in-flow.ts'
import {
  buildProviderUrl,
  connectsAccount,
  findPendingLink,
  keepLinkForProvider,
  keepPendingLink,
  returnTo,
  takeLinkOfProvider,
  targetName,
} from './sign-in-options.ts'
import { SignedInStep } from './signed-in-step.tsx'
import { useSignIn } from './use-sign-in.ts'

const t = messagesOf('signIn')

interface SetupStepProps {
  readonly login: SetupLogin
  readonly onBack: () => void
}

/** Leads to the setup of a second factor or a passkey, which the policy of the service requires. */
const SetupStep = ({ login, onBack }: SetupStepProps) => {
  const start = useAction(() => openSetup(login))
  return (
    <div class="stack">
      <p>{t(pageData.passkeysOnly ? 'passkeySetupHint' : 'setupHint')}</p>
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

/** Opens the account page with a session for the setup. Returns the failure if there is none. */
const openSetup = async (login: SetupLogin): Promise<ApiFailure | undefined> => {
  const response = await startSetup(login)
  if (!response.isOk) return response
  keepSetupTarget(findTarget() ?? response.body.redirect ?? undefined)
  await leavePage('/account')
  return undefined
}

/** Where the person goes after the setup: to their access link, or through this page to where its address leads. */
const findTarget = (): string | undefined => {
  const query = new URLSearchParams(location.search)
  // They have just signed in.
  query.delete('prompt')
  return findPendingLink() ?? (returnTo === undefined ? undefined : `/?${query}`)
}

const SignInPage = () => {
  const [first] = useState(findFirstStep)
  const page = useSignIn(first.step)
  const { step, show } = page
  const [username, setUsername] = useState(findFirstUsername)
  const [isRecovery, setRecovery] = useState(false)
  const [isSent, setSent] = useState(false)
  const [isNamed, setNamed] = useState(!pageData.hasDomains || connectsAccount())
  useEffect(() => {
    if (first.leaves && first.step.name === 'leaving') void page.leave(first.step.user)
  }, [])
  const goBack = () => {
    setRecovery(false)
    setSent(false)
    show({ name: 'credentials' })
  }
  const details = [isRecovery && 'recovery', isSent && 'sent', isNamed && 'named'].filter(Boolean).join(' ')
  return (
    <CardPage heading={getHeading(step, { isRecovery, isSent })} step={`${nameScreen(step)} ${details}`}>
      {step.name === 'credentials' && (
        <CredentialsStep
          key={step.problem}
          page={page}
          notice={step.notice}
          problem={step.problem}
          username={username}
          onChangeUsername={setUsername}
          isNamed={isNamed}
          onName={setNamed}
        />
      )}
      {step.name === 'code' && (
        <CodeStep
          page={page}
          send={async (otp, isRemembering) =>
            page.finish(await signIn({ ...step.credentials, otp, isRemembering }))
          }
          passkeyToken={step.passkeyToken}
          rememberDays={step.rememberDays}
          isRecovery={isRecovery}
          onChangeRecovery={setRecovery}
          onBack={goBack}
        />
      )}
      {step.name === 'addCode' && (
        <CodeStep
          page={page}
          send={async (otp) => {
            const response = await addCode(otp)
            if (!response.isOk) return response
            await page.leave(step.user)
            return undefined
          }}
          label={t('continueTo', { product: targetName })}
          passkeyToken={undefined}
          rememberDays={undefined}
          isRecovery={isRecovery}
          onChangeRecovery={setRecovery}
          onBack={goBack}
        />
      )}
      {step.name === 'passkey' && (
        <PasskeyStep
          page={page}
          credentials={step.credentials}
          passkeyToken={step.passkeyToken}
          rememberDays={step.rememberDays}
          onBack={goBack}
        />
      )}
      {step.name === 'lostPasskey' && (
        <CodeStep
          page={page}
          send={(otp) => openSetup(buildRecoveryLogin(step.credentials, otp))}
          passkeyToken={undefined}
          rememberDays={undefined}
          isRecovery
          onBack={goBack}
        />
      )}
      {step.name === 'newPassword' && (
        <NewPasswordStep
          page={page}
          credentials={step.credentials}
          policy={step.policy}
          isBreached={step.isBreached}
          onBack={goBack}
        />
      )}
      {step.name === 'setup' && <SetupStep login={step.login} onBack={goBack} />}
      {step.name === 'emailAddress' && <EmailAddressStep page={page} result={step.result} />}
      {step.name === 'passkeyOffer' && <PasskeyOfferStep page={page} result={step.result} />}
      {step.name === 'emailCode' && (
        <EmailCodeStep page={page} username={step.username} requestId={step.requestId} onBack={goBack} />
      )}
      {step.name === 'forgotPassword' && (
        <ForgotPasswordStep
          username={step.username}
          isSent={isSent}
          onSent={() => setSent(true)}
          onBack={goBack}
        />
      )}
      {step.name === 'provider' && (
        <div class="stack">
          <p role="status">{t('providerRequired')}</p>
          <a
            class="button primary"
            href={buildProviderUrl(step.provider.login_url)}
            onClick={keepLinkForProvider}
          >
            {t('useProvider', { name: step.provider.name })}
          </a>
          <Button look="quiet" onClick={goBack}>
            {kit('back')}
          </Button>
        </div>
      )}
      {step.name === 'disabled' && (
        <div class="stack">
          <p role="status">{t('disabled')}</p>
          <Button look="secondary" onClick={goBack}>
            {kit('back')}
          </Button>
        </div>
      )}
      {(step.name === 'signedIn' || step.name === 'leaving') && (
        <SignedInStep
          page={page}
          user={step.user}
          problem={step.problem}
          leads={!findPendingLink() && (step.name === 'leaving' || step.problem === undefined)}
          isLeaving={step.name === 'leaving' && step.problem === undefined}
        />
      )}
    </CardPage>
  )
}

/** Going on changes nothing on the screen of someone who is signed in. */
const nameScreen = ({ name }: Step): string => (name === 'leaving' ? 'signedIn' : name)

interface StepDetails {
  readonly isRecovery: boolean
  readonly isSent: boolean
}

const getHeading = ({ name }: Step, { isRecovery, isSent }: StepDetails): string => {
  switch (name) {
    case 'credentials':
    case 'provider':
      return t('heading', { product: targetName })
    case 'code':
    case 'addCode':
      return t(isRecovery ? 'recoveryHeading' : 'codeHeading')
    case 'lostPasskey':
      return t('recoveryHeading')
    case 'passkey':
      return t('passkeyHeading')
    case 'newPassword':
      return t('newPasswordHeading')
    case 'setup':
      return t('setupHeading')
    case 'emailAddress':
      return t('emailAddressHeading')
    case 'passkeyOffer':
      return t('passkeyOfferHeading')
    case 'emailCode':
      return t('emailCodeHeading')
    case 'forgotPassword':
      return t(isSent ? 'linkSentHeading' : 'forgotHeading')
    case 'disabled':
      return t('disabledHeading')
    default:
      return t('signedInHeading')
  }
}

/** Shows the sign-in page, or goes on to an access link that the tab has kept. */
export const startSignInPage = async (): Promise<void> => {
  keepPendingLink()
  // The tab shows the page again after an identity provider.
  const providerLink = takeLinkOfProvider()
  if (pageData.user && providerLink) location.replace(providerLink)
  else {
    await startPage(SignInPage)
    // The file imports this script, whose end it waits for. So nothing here may wait for the file.
    void proveStart()
  }
}

/** Few networks have to prove work, so the page does without the code for it. Without the file, the person chooses again. */
const proveStart = async (): Promise<void> => {
  if (!new URLSearchParams(location.search).has('start')) return
  const loaded = await import('./start-with-proof.ts').catch(() => undefined)
  await loaded?.startWithProof()
}
