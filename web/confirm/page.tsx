import { useEffect, useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { type ApiFailure, callApi } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { EndedLink, SignInLink } from '../kit/ended-link.tsx'
import { forgetValue, keepValue, readKeptValue } from '../kit/kept-values.ts'
import { leavePage } from '../kit/leave-page.ts'
import { type LinkState, replaceLinkState, useLinkAction, useLinkState } from '../kit/link-state.ts'
import { LoadFailure } from '../kit/load-failure.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { CardPage } from '../kit/page-frame.tsx'
import { startPage } from '../kit/start-page.tsx'
import { pageData } from '../kit/start-path.ts'

const t = messagesOf('confirm')

const path = '/api/2/auth/confirm-email'

/** What the link is for: `EmailConfirmation` of the API. */
interface Confirmation {
  readonly email: string
  /** A stranger may have chosen the name. */
  readonly account: string
  readonly needs: 'nothing' | 'sign_in' | 'other_account' | 'end_impersonation'
  readonly signed_in_as: string | null
}

const keptName = 'confirm-token'
/** As long as signing in may take. */
const keptMs = 30 * 60_000

interface ConfirmPageProps {
  readonly state: LinkState
}

/**
 * The page that confirms an email address, in a browser that is signed in to its account. Only its buttons change something, because
 * email scanners also run scripts. A person who signed in with its button pressed that, so it goes on.
 */
const ConfirmPage = ({ state: given }: ConfirmPageProps) => {
  const [{ state, hasSignedIn }] = useState(() => resume(given))
  const { token = '' } = state
  const [confirmation, setConfirmation] = useState<Confirmation | undefined>()
  const [isEnded, setEnded] = useState(false)
  const [isRejected, setRejected] = useState(state.isRejected ?? false)
  const confirmed = useLinkAction(state, path)
  const look = useAction(async () => {
    const response = await callApi<Confirmation>('POST', `${path}/link`, { body: { token } })
    if (response.isOk) {
      setConfirmation(response.body)
      // The account that the person chose to sign in to. Another one is shown, and asks.
      if (hasSignedIn && response.body.needs === 'nothing') await confirmed.action.run()
    } else if (isEndedLink(response)) setEnded(true)
    else return response
    return undefined
  })
  const reject = useAction(async () => {
    const response = await callApi('POST', `${path}/reject`, { body: { token } })
    if (response.isOk) {
      replaceLinkState({ isRejected: true })
      setRejected(true)
    } else if (isEndedLink(response)) setEnded(true)
    else return response
    return undefined
  })
  useEffect(() => {
    if (token) void look.run()
  }, [])
  if (isRejected)
    return (
      <CardPage heading={t('rejectedHeading')} step="rejected">
        <p role="status">{t('rejected')}</p>
      </CardPage>
    )
  if (confirmed.result)
    return (
      <CardPage heading={t('doneHeading')} step="done">
        <p role="status">{t('done')}</p>
        <SignInLink label={t('goToSignIn')} />
      </CardPage>
    )
  const problem = isEnded ? 'used' : confirmed.problem
  const failure = confirmed.action.failure ?? reject.failure
  return (
    <CardPage heading={t('heading')} step="form">
      {problem && <EndedLink problem={t(problem)} advice={t('getNewLink')} label={t('goToSignIn')} />}
      {!problem && !confirmation && !look.failure && <p role="status">{kit('loading')}</p>}
      {!problem && <LoadFailure failure={look.failure} isRunning={look.isRunning} onRetry={look.run} />}
      {!problem && confirmation && (
        <>
          <Explanation {...confirmation} />
          <Alert kind="problem">{failure && describeFailure(failure, describeRefusals(confirmation))}</Alert>
          {confirmation.needs === 'nothing' && (
            <Button isRunning={confirmed.action.isRunning} onClick={confirmed.action.run}>
              {t('confirm')}
            </Button>
          )}
          {(confirmation.needs === 'sign_in' || confirmation.needs === 'other_account') && (
            <SignInButton token={token} {...confirmation} />
          )}
          <Button look="secondary" isRunning={reject.isRunning} onClick={reject.run}>
            {t('notMine')}
          </Button>
        </>
      )}
    </CardPage>
  )
}

/** The session may have changed since the page was shown. */
const describeRefusals = ({ account }: Confirmation): Readonly<Record<string, string>> => ({
  conflict: t('taken'),
  sign_in_required: t('signInFirst', { account }),
  other_account: t('otherAccount', { account }),
})

const isEndedLink = ({ problem }: ApiFailure): boolean => problem.code === 'invalid_token'

/** Returns to the link that the person left to sign in. A link in the address counts before one that was kept. */
const resume = (given: LinkState): { readonly state: LinkState; readonly hasSignedIn: boolean } => {
  const kept = readKeptValue('tab', keptName)
  forgetValue('tab', keptName)
  if (kept === undefined || Object.keys(given).length > 0) return { state: given, hasSignedIn: false }
  const state = { token: kept }
  replaceLinkState(state)
  return { state, hasSignedIn: true }
}

/** Names the account, and says what is missing. */
const Explanation = ({ email, account, needs, signed_in_as: user }: Confirmation) => (
  <div class="stack" role="status">
    <p>{t('explanation', { email, account })}</p>
    {user !== null && needs !== 'end_impersonation' && <p>{t('signedInAs', { user })}</p>}
    <p>{describeNeed(needs, account)}</p>
  </div>
)

const describeNeed = (needs: Confirmation['needs'], account: string): string => {
  if (needs === 'nothing') return t('ifYours')
  if (needs === 'end_impersonation') return t('impersonating')
  return needs === 'sign_in' ? t('signInFirst', { account }) : t('otherAccount', { account })
}

/** Leads to the sign-in page, which leads back here. */
const SignInButton = ({ token, needs }: Pick<Confirmation, 'needs'> & { readonly token: string }) => {
  const isOther = needs === 'other_account'
  const signIn = useAction(async (): Promise<ApiFailure | undefined> => {
    if (isOther) {
      const response = await callApi('POST', '/api/2/auth/logout')
      if (!response.isOk && response.status !== 401) return response
    }
    keepValue('tab', keptName, token, keptMs)
    const address = new URL(pageData.signInUrl, location.href)
    address.searchParams.set('return_to', `${location.origin}/confirm`)
    await leavePage(address.href)
    return undefined
  })
  return (
    <>
      <Alert kind="problem">{signIn.failure && describeFailure(signIn.failure)}</Alert>
      <Button isRunning={signIn.isRunning} onClick={signIn.run}>
        {isOther ? t('switchAccount') : t('signIn')}
      </Button>
    </>
  )
}

const Page = () => {
  const link = useLinkState()
  return link ? <ConfirmPage key={link.visit} state={link.state} /> : null
}

/** Shows the page that confirms an email address. */
export const startConfirmPage = (): Promise<void> => startPage(Page)
