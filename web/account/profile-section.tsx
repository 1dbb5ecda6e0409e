import { useState } from 'preact/hooks'
import { type AccountProfile, languageParameter } from '../../lib/kernel/contract/page-data.ts'
import { isLanguage, type Language, languageNames, languages } from '../../lib/kernel/i18n/languages.ts'
import { Alert, Button } from '../kit/button.tsx'
import { callWithProof } from '../kit/call-with-proof.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { SelectField, TextField } from '../kit/field.tsx'
import { Form, isEmailAddress } from '../kit/form.tsx'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/start-path.ts'
import { client } from '../session-kit/client.ts'
import { saveOwnData } from '../session-kit/person-data.ts'
import { useConfirmedAction } from '../session-kit/use-loaded.ts'
import { useAccount } from './account-state.ts'
import { AttributePanel } from './attribute-panel.tsx'
import { DeletionPanel } from './deletion-panel.tsx'
import { tellPasswordManagers } from './tell-password-managers.ts'

const access = messagesOf('access')
const t = messagesOf('account')

const longestName = 255

/** Who the user is: their names, language and email address. */
export const ProfileSection = () => (
  <>
    <NamePanel />
    <EmailPanel />
    <AttributePanel />
    <DataPanel />
    <DeletionPanel />
  </>
)

const NamePanel = () => {
  const { profile, setProfile, announce } = useAccount()
  const [fullName, setFullName] = useState(profile.full_name ?? '')
  const [language, setLanguage] = useState<string>(profile.page_language ?? '')
  const save = useConfirmedAction(async () => {
    const chosen = isLanguage(language) ? language : null
    const saved = await client.users.updateCurrentUser({
      // A directory can keep it.
      ...(fullName !== (profile.full_name ?? '') && { full_name: fullName.trim() || null }),
      page_language: chosen,
    })
    announce('')
    // Passkeys have the name of their user.
    if (saved.display_name !== profile.display_name) await tellPasswordManagers(saved)
    if (showInLanguage(chosen, profile.page_language ?? null)) return undefined
    setProfile(saved)
    announce(kitText('saved'))
    return undefined
  })
  return (
    <section class="panel" aria-label={t('names')}>
      <Form isRunning={save.isRunning} onSubmit={save.run}>
        <TextField
          label={t('fullName')}
          name="name"
          autocomplete="name"
          maxLength={longestName}
          value={fullName}
          {...describeKept(profile, 'full_name')}
          onChangeValue={setFullName}
        />
        <div class="field">
          <span class="label">{t('username')}</span>
          <bdi>{profile.username}</bdi>
        </div>
        <SelectField
          label={kitText('language')}
          hint={t('languageHint')}
          value={language}
          onChangeValue={setLanguage}
          options={[
            { value: '', label: t('languageOfBrowser') },
            ...languages.map((value) => ({ value, label: languageNames[value] })),
          ]}
        />
        <Alert kind="problem">{save.failure && describeFailure(save.failure)}</Alert>
        <div class="row">
          <Button type="submit">{kitText('save')}</Button>
        </div>
      </Form>
    </section>
  )
}

/** Shows a field that only a directory changes as such. */
const describeKept = (
  { kept_by_directories: kept = [] }: AccountProfile,
  name: 'email' | 'full_name',
): { readonly readOnly?: boolean; readonly hint?: string } => {
  const keeper = kept.find(({ fields }) => fields.includes(name))
  return keeper ? { readOnly: true, hint: access('keptBy', { name: keeper.name }) } : {}
}

/** The email address, whether it is confirmed, and the one that waits for its confirmation. */
const EmailPanel = () => {
  const { profile } = useAccount()
  const { email, email_verified: isVerified, pending_email: pending } = profile
  const { hint } = describeKept(profile, 'email')
  const canChange = !pageData.user?.impersonatedBy && hint === undefined
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
      {hint && <p class="note">{hint}</p>}
      {canChange && email && !isVerified && !pending && <SendConfirmation address={email} />}
      {canChange && pending && <PendingEmail pending={pending} present={email ?? null} />}
      {canChange && <ChangeEmail />}
    </section>
  )
}

/** What the service stores about the person. */
const DataPanel = () => {
  const save = useConfirmedAction(async () => {
    await saveOwnData()
    return undefined
  })
  return (
    <section class="panel" aria-label={t('yourData')}>
      <h2>{t('yourData')}</h2>
      <p>{t('yourDataText')}</p>
      <Alert kind="problem">{save.failure && describeFailure(save.failure)}</Alert>
      <div class="row">
        <Button look="secondary" isRunning={save.isRunning} onClick={save.run}>
          {t('saveData')}
        </Button>
      </div>
    </section>
  )
}

/** Has a link emailed to a new address, with a proof of work if the service asks for one. */
const requestEmail = (email: string) => callWithProof('/api/2/users/me/email', { email })

/** Sends the link again that confirms an address. */
const SendConfirmation = ({ address }: { readonly address: string }) => {
  const { profile, announce } = useAccount()
  const send = useConfirmedAction(async () => {
    announce('')
    const response = await callWithProof(`/api/2/users/${profile.id}/email/confirmation`, {})
    if (!response.isOk) return response
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
    if (present !== null) {
      const response = await requestEmail(present)
      if (!response.isOk) return response
    }
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
    const isAddress = isEmailAddress(email)
    setProblem(isAddress ? '' : t('emailInvalid'))
    if (!isAddress) return undefined
    const response = await requestEmail(email)
    if (!response.isOk) return response
    setProfile(await client.users.getCurrentUser())
    setAddress('')
    announce(email === profile.email ? t('emailWithdrawn') : t('linkSent', { address: email }))
    return undefined
  })
  const failure = change.failure
  return (
    <Form isRunning={change.isRunning} onSubmit={change.run} label={t('changeEmail')}>
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
        <Button type="submit" look="secondary">
          {kitText('continue')}
        </Button>
      </div>
    </Form>
  )
}

/**
 * Shows the page again if the user chose another language. Without a language of their own, the one of the browser counts.
 * Returns whether the page is shown again.
 */
const showInLanguage = (language: Language | null, before: string | null): boolean => {
  if (language === before && (language === null || language === pageData.language)) return false
  const url = new URL(location.href)
  // Without a language, the server removes the choice that the browser keeps.
  url.searchParams.set(languageParameter, language ?? '')
  history.replaceState(history.state, '', url)
  location.reload()
  return true
}
