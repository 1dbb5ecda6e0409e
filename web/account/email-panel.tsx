import { useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { TextField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/page-data.ts'
import { client } from '../session-kit/client.ts'
import { useConfirmedAction } from '../session-kit/use-confirmed-action.ts'
import { useAccount } from './account-state.ts'

const t = messagesOf('account')

/** The email address, whether it is confirmed, and the one that waits for its confirmation. */
export const EmailPanel = () => {
  const { profile } = useAccount()
  const { email, email_verified: isVerified, pending_email: pending } = profile
  const canChange = !pageData.user?.impersonatedBy
  return (
    <section class="panel" aria-label={t('email')}>
      <h2>{t('email')}</h2>
      {email ? (
        <p>
          <bdi>{email}</bdi>{' '}
          <span class="badge">{isVerified ? t('emailVerified') : t('emailUnverified')}</span>
        </p>
      ) : (
        <p>{t('noEmail')}</p>
      )}
      {canChange && email && !isVerified && !pending && <SendConfirmation address={email} />}
      {canChange && pending && <PendingEmail pending={pending} present={email ?? null} />}
      {canChange && <ChangeEmail />}
    </section>
  )
}

/** Sends the link again that confirms an address. */
const SendConfirmation = ({ address }: { readonly address: string }) => {
  const { profile, announce } = useAccount()
  const send = useConfirmedAction(async () => {
    announce('')
    await client.users.sendEmailConfirmation(profile.id)
    announce(t('linkSent', { address }))
    return undefined
  })
  return (
    <>
      <Alert kind="problem">{send.failure && describeFailure(send.failure)}</Alert>
      <Button look="secondary" isRunning={send.isRunning} onClick={send.run}>
        {t('sendLink')}
      </Button>
    </>
  )
}

interface PendingEmailProps {
  readonly pending: string
  readonly present: string | null
}

const PendingEmail = ({ pending, present }: PendingEmailProps) => {
  const { setProfile, announce } = useAccount()
  const withdraw = useConfirmedAction(async () => {
    announce('')
    // The present address withdraws the change.
    if (present !== null) await client.users.changeOwnEmail({ email: present })
    setProfile(await client.users.getCurrentUser())
    announce(t('emailWithdrawn'))
    return undefined
  })
  return (
    <div class="alert information stack">
      <p>{t('emailPending', { address: pending })}</p>
      <Alert kind="problem">{withdraw.failure && describeFailure(withdraw.failure)}</Alert>
      <div class="row">
        <SendConfirmation address={pending} />
        {present !== null && (
          <Button look="secondary" isRunning={withdraw.isRunning} onClick={withdraw.run}>
            {t('withdrawEmail')}
          </Button>
        )}
      </div>
    </div>
  )
}

const ChangeEmail = () => {
  const { profile, setProfile, announce } = useAccount()
  const [address, setAddress] = useState('')
  const [problem, setProblem] = useState('')
  const change = useConfirmedAction(async () => {
    announce('')
    const email = address.trim()
    const isAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)
    setProblem(isAddress ? '' : t('emailInvalid'))
    if (!isAddress) return undefined
    await client.users.changeOwnEmail({ email })
    setProfile(await client.users.getCurrentUser())
    setAddress('')
    announce(email === profile.email ? t('emailWithdrawn') : t('linkSent', { address: email }))
    return undefined
  })
  const failure = change.failure
  return (
    <Form onSubmit={change.run} label={t('changeEmail')}>
      <TextField
        label={t('newEmail')}
        hint={t('newEmailHint')}
        problem={problem}
        type="email"
        name="new-email"
        autocomplete="email"
        maxLength={255}
        value={address}
        onChangeValue={setAddress}
      />
      <Alert kind="problem">
        {failure && describeFailure(failure, { invalid_request: t('emailInvalid') })}
      </Alert>
      <div class="row">
        <Button type="submit" look="secondary" isRunning={change.isRunning}>
          {kitText('continue')}
        </Button>
      </div>
    </Form>
  )
}
