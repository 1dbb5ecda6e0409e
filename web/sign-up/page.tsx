import { useEffect, useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { type ApiFailure, callApi } from '../kit/call-api.ts'
import { callWithProof } from '../kit/call-with-proof.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { TextField } from '../kit/field.tsx'
import { Form, focusField } from '../kit/form.tsx'
import { leavePage } from '../kit/leave-page.ts'
import { type LinkState, replaceLinkState, useLinkState } from '../kit/link-state.ts'
import { LoadFailure } from '../kit/load-failure.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { CardPage } from '../kit/page-frame.tsx'
import { startPage } from '../kit/start-page.tsx'
import { pageData } from '../kit/start-path.ts'
import { AccountForm } from './account-form.tsx'

const t = messagesOf('signUp')

const path = '/api/2/auth/sign-up'
const product = pageData.brand.product_name

/** What the link offers: `SignUpOffer` of the API. */
interface Offer {
  readonly email: string
  readonly needs_approval: boolean
  readonly terms_version: string | null
  readonly terms_url: string | null
}

/** Asks for an address, or for the rest once the link in the email has proved it. */
const SignUpPage = ({ state }: { readonly state: LinkState }) => {
  const [token, setToken] = useState(state.token)
  const [isEnded, setEnded] = useState(false)
  const [isWaiting, setWaiting] = useState(state.isDone ?? false)
  const end = () => {
    replaceLinkState({})
    setToken(undefined)
    setEnded(true)
  }
  if (isWaiting)
    return (
      <CardPage heading={t('waitingHeading')} step="waiting">
        <p role="status">{t('waiting')}</p>
      </CardPage>
    )
  if (token !== undefined) return <LinkStep token={token} onEnded={end} onWaiting={() => setWaiting(true)} />
  if (!pageData.signUp)
    return (
      <CardPage heading={t('heading', { product })} step="off">
        <p>{t('off')}</p>
        <SignInLink label={t('goToSignIn')} />
      </CardPage>
    )
  return (
    <CardPage heading={t('heading', { product })} step="address">
      <Alert kind="problem">{isEnded && t('ended')}</Alert>
      <AddressStep domains={pageData.signUp.domains} />
      <SignInLink label={t('signIn')} />
    </CardPage>
  )
}

const SignInLink = ({ label }: { readonly label: string }) => <a href={pageData.signInUrl}>{label}</a>

/** Has the link emailed. The answer is the same for addresses that have an account. */
const AddressStep = ({ domains }: { readonly domains: readonly string[] }) => {
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string | undefined>()
  const [isMissing, setMissing] = useState(false)
  const send = useAction(async () => {
    const address = email.trim()
    setMissing(address === '')
    if (address === '') {
      focusField('email')
      return undefined
    }
    const response = await callWithProof(path, { email: address })
    if (response.isOk) setSentTo(address)
    else if (response.problem.code === 'invalid_request') focusField('email')
    return response.isOk ? undefined : response
  })
  if (sentTo !== undefined)
    return (
      <>
        <p role="status">{t('sent', { email: sentTo })}</p>
        <Button look="secondary" onClick={() => setSentTo(undefined)}>
          {t('again')}
        </Button>
      </>
    )
  const { failure } = send
  const isRefused = failure?.problem.code === 'invalid_request'
  const describeProblem = () => {
    if (isMissing) return t('enterEmail')
    return isRefused && t(domains.length > 0 && email.includes('@') ? 'otherDomain' : 'enterEmail')
  }
  const listed = new Intl.ListFormat(pageData.language, { type: 'disjunction' }).format(domains)
  return (
    <Form isRunning={send.isRunning} onSubmit={send.run}>
      <p>{t('intro')}</p>
      <Alert kind="problem">{failure && !isRefused && describeFailure(failure)}</Alert>
      <TextField
        label={t('email')}
        hint={domains.length > 0 && t('domains', { domains: listed })}
        name="email"
        type="email"
        value={email}
        onChangeValue={setEmail}
        problem={describeProblem()}
        autocomplete="email"
        autocapitalize="none"
        spellcheck={false}
        maxLength={255}
        required
        autoFocus
      />
      <Button type="submit">{t('send')}</Button>
    </Form>
  )
}

interface LinkStepProps {
  readonly token: string
  readonly onEnded: () => void
  readonly onWaiting: () => void
}

/** Reads what the link offers. Opening it uses nothing, so that mail scanners do not use it up. */
const LinkStep = ({ token, onEnded, onWaiting }: LinkStepProps) => {
  const [offer, setOffer] = useState<Offer | undefined>()
  const look = useAction(async () => {
    const response = await callApi<Offer>('POST', `${path}/link`, { body: { token } })
    if (response.isOk) setOffer(response.body)
    else if (isEnded(response)) onEnded()
    else return response
    return undefined
  })
  useEffect(() => void look.run(), [])
  return (
    <CardPage heading={t('detailsHeading', { product })} step={offer ? 'details' : 'checking'}>
      {offer && <DetailsForm token={token} offer={offer} onEnded={onEnded} onWaiting={onWaiting} />}
      {!offer && !look.failure && <p role="status">{kit('loading')}</p>}
      <LoadFailure
        failure={look.failure}
        messages={{ permission_denied: t('off') }}
        isRunning={look.isRunning}
        onRetry={look.run}
      />
    </CardPage>
  )
}

const isEnded = ({ problem }: ApiFailure): boolean => problem.code === 'invalid_token'

const DetailsForm = ({ token, offer, onEnded, onWaiting }: LinkStepProps & { readonly offer: Offer }) => (
  <AccountForm
    terms={offer}
    failures={{ conflict: t('taken'), permission_denied: t('off') }}
    button={t(offer.needs_approval ? 'ask' : 'create')}
    hasFocus
    onSend={async (account) => {
      const body = { token, ...account }
      const response = await callApi<{ readonly invitation_token: string | null }>(
        'POST',
        `${path}/complete`,
        {
          body,
        },
      )
      if (!response.isOk && !isEnded(response)) return response
      if (!response.isOk) onEnded()
      else if (response.body.invitation_token === null) {
        replaceLinkState({ isDone: true })
        onWaiting()
      } else await leavePage(`/invite#token=${response.body.invitation_token}`, { replaces: true })
      return undefined
    }}
  >
    <p>{t('address', { email: offer.email })}</p>
    {offer.needs_approval && <p>{t('needsApproval')}</p>}
  </AccountForm>
)

const Page = () => {
  const link = useLinkState()
  return link ? <SignUpPage key={link.visit} state={link.state} /> : null
}

/** Shows the page where people create their account. */
export const startSignUpPage = (): Promise<void> => startPage(Page)
