import { useEffect, useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { type ApiFailure, callApi } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { listJoinRefusals } from '../kit/join-refusals.ts'
import { leavePage } from '../kit/leave-page.ts'
import { LoadFailure } from '../kit/load-failure.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { CardPage } from '../kit/page-frame.tsx'
import { pageData } from '../kit/start-path.ts'
import { AccountForm } from '../sign-up/account-form.tsx'
import { forgetJoinToken, isEnded, keepJoinToken } from './invitation-api.ts'

const t = messagesOf('invite')
const signUp = messagesOf('signUp')

const path = '/api/2/auth/organization-invitation'

/** What the link offers: `OrganizationInvitationOffer` of the API. */
interface Offer {
  readonly organization_name: string
  readonly email: string
  readonly roles: readonly string[]
  readonly declared_roles: readonly {
    readonly key: string
    readonly texts: Readonly<Record<string, string>>
  }[]
  readonly invited_by: string
  readonly has_account: boolean
  readonly terms_version: string | null
  readonly terms_url: string | null
  readonly shown: string
}

interface JoinProps {
  readonly token: string
  readonly onEnded: () => void
}

/** The page behind the link of an invitation to an organization, with and without an account. Opening it uses nothing. */
export const JoinPage = ({ token, onEnded }: JoinProps) => {
  const [offer, setOffer] = useState<Offer | undefined>()
  const [isChanged, setChanged] = useState(false)
  const [isJoined, setJoined] = useState(false)
  const look = useAction(async () => {
    const response = await callApi<Offer>('POST', path, { body: { token } })
    if (response.isOk) setOffer(response.body)
    else if (isEnded(response)) onEnded()
    else return response
    return undefined
  })
  useEffect(() => void look.run(), [])
  if (!offer)
    return (
      <CardPage heading={t('joinFirstHeading')} step={look.failure ? 'failed' : 'checking'}>
        {!look.failure && <p role="status">{kit('loading')}</p>}
        <LoadFailure
          failure={look.failure}
          messages={describeRefusals()}
          isRunning={look.isRunning}
          onRetry={look.run}
        />
      </CardPage>
    )
  const { organization_name: organization, invited_by: inviter, email } = offer
  if (isJoined)
    return (
      <CardPage heading={t('joinHeading', { organization })} step="done">
        <Alert kind="success">{t('joined', { organization })}</Alert>
        <a class="button primary" href="/account">
          {kit('continue')}
        </a>
      </CardPage>
    )
  const askAgain = async () => {
    setChanged(true)
    await look.run()
  }
  const props = { token, offer, onEnded }
  return (
    <CardPage heading={t('joinHeading', { organization })} step="open">
      <Alert>{isChanged && t('joinChanged')}</Alert>
      <p>{t('joinInvited', { inviter, email })}</p>
      <p>{t('joinRoles', { roles: listRoles(offer) })}</p>
      {pageData.user ? (
        <JoinButton {...props} onChanged={askAgain} onJoined={() => setJoined(true)} />
      ) : offer.has_account ? (
        <SignInButton {...props} />
      ) : (
        <NewAccountForm {...props} />
      )}
    </CardPage>
  )
}

const describeRefusals = (): Readonly<Record<string, string>> => ({
  ...listJoinRefusals(),
  account_exists: signUp('taken'),
})

const listRoles = ({ roles, declared_roles: declared }: Offer): string => {
  const builtIn = new Map([
    ['owner', t('roleOwner')],
    ['admin', t('roleAdmin')],
    ['member', t('roleMember')],
  ])
  const { language } = pageData
  const names = roles.map((key) => {
    const texts = declared.find((role) => role.key === key)?.texts
    return builtIn.get(key) ?? texts?.[language] ?? texts?.['en'] ?? key
  })
  return new Intl.ListFormat(language).format(names)
}

interface StepProps extends JoinProps {
  readonly offer: Offer
}

interface JoinButtonProps extends StepProps {
  readonly onChanged: () => Promise<void>
  readonly onJoined: () => void
}

/** Joins with the account that is signed in. */
const JoinButton = ({ token, offer, onEnded, onChanged, onJoined }: JoinButtonProps) => {
  const join = useAction(async () => {
    const body = { token, shown: offer.shown }
    const response = await callApi('POST', '/api/2/users/me/organization-invitations/accept', { body })
    if (response.isOk) {
      forgetJoinToken()
      onJoined()
    } else if (isEnded(response)) onEnded()
    else if (response.problem.reason === 'decision_changed') await onChanged()
    else return response
    return undefined
  })
  const { failure } = join
  const isOther = failure?.problem.reason === 'other_address' || failure?.status === 401
  return (
    <>
      <p>{t('joinSignedInAs', { user: pageData.user?.displayName ?? '' })}</p>
      <Alert kind="problem">
        {failure &&
          describeFailure(failure, {
            ...describeRefusals(),
            other_address: t('joinOther', { email: offer.email }),
          })}
      </Alert>
      {isOther ? (
        <SignInButton token={token} offer={offer} isOther />
      ) : (
        <Button isRunning={join.isRunning} onClick={join.run}>
          {t('join')}
        </Button>
      )}
    </>
  )
}

interface SignInButtonProps extends Pick<StepProps, 'token' | 'offer'> {
  readonly isOther?: boolean
}

/** Leads to the sign-in page, which leads back here. */
const SignInButton = ({ token, offer: { email }, isOther = false }: SignInButtonProps) => {
  const signIn = useAction(async (): Promise<ApiFailure | undefined> => {
    if (isOther) {
      const response = await callApi('POST', '/api/2/auth/logout')
      if (!response.isOk && response.status !== 401) return response
    }
    keepJoinToken(token)
    const address = new URL(pageData.signInUrl, location.href)
    address.searchParams.set('return_to', `${location.origin}/invite`)
    address.searchParams.set('login_hint', email)
    const organization = new URLSearchParams(location.search).get('organization')
    if (organization !== null) address.searchParams.set('organization', organization)
    await leavePage(address.href)
    return undefined
  })
  return (
    <>
      {!isOther && <p>{t('joinSignIn', { email })}</p>}
      <Alert kind="problem">{signIn.failure && describeFailure(signIn.failure)}</Alert>
      <Button isRunning={signIn.isRunning} onClick={signIn.run}>
        {isOther ? t('joinSwitch') : t('goToSignIn')}
      </Button>
    </>
  )
}

/** Asks a new person for the fields of their account. */
const NewAccountForm = ({ token, offer, onEnded }: StepProps) => (
  <AccountForm
    terms={offer}
    failures={describeRefusals()}
    button={signUp('create')}
    onSend={async (account) => {
      const body = { token, ...account }
      const response = await callApi<{ readonly invitation_token: string }>('POST', `${path}/account`, {
        body,
      })
      if (response.isOk) {
        keepJoinToken(token)
        await leavePage(`/invite${location.search}#token=${response.body.invitation_token}`, {
          replaces: true,
        })
      } else if (isEnded(response)) onEnded()
      else return response
      return undefined
    }}
  />
)
