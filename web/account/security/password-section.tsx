import { useEffect, useState } from 'preact/hooks'
import { Alert, Button } from '../../kit/button.tsx'
import { type ApiFailure, callApi } from '../../kit/call-api.ts'
import { CodeField, PasswordField } from '../../kit/field.tsx'
import { Form } from '../../kit/form.tsx'
import { t as kitText, messagesOf } from '../../kit/messages.ts'
import { NewPasswordField } from '../../new-password/new-password-field.tsx'
import {
  describePasswordProblems,
  fetchPasswordAccount,
  type PasswordPolicy,
} from '../../new-password/password-policy.ts'
import { describeConfirmationFailure } from '../../session-kit/confirm-identity.tsx'
import { useConfirmedAction } from '../../session-kit/use-loaded.ts'
import { useAccount } from '../account-state.ts'

const t = messagesOf('security')

/** The change of the password, for those who may. */
export const PasswordSection = () => {
  const { profile } = useAccount()
  if (!profile.has_password) return <p class="panel">{t('noPassword')}</p>
  if (!profile.allow_changing_password) return <p class="panel">{t('passwordManaged')}</p>
  return (
    <section class="panel" aria-label={t('changePassword')}>
      <PasswordForm />
    </section>
  )
}

const empty = { current: '', next: '', code: '' }

const PasswordForm = () => {
  const { profile, announce } = useAccount()
  const [fields, setFields] = useState(empty)
  const [missing, setMissing] = useState(false)
  const [policy, setPolicy] = useState<PasswordPolicy | undefined>()
  // A second factor can change what the password must meet.
  useEffect(() => {
    void fetchPasswordAccount().then((response) =>
      setPolicy(response.isOk ? response.body.policy : undefined),
    )
  }, [profile])
  const change = useConfirmedAction(async () => {
    announce('')
    const isMissing = fields.current === '' || fields.next === ''
    setMissing(isMissing)
    if (isMissing) return undefined
    const response = await callApi('POST', '/api/2/users/me/password', {
      body: {
        password: fields.next,
        current_password: fields.current,
        ...(profile.totp_enabled ? { current_otp: fields.code || null } : {}),
      },
    })
    if (!response.isOk) return response
    setFields(empty)
    announce(t('passwordChanged'))
    return undefined
  })
  const { failure } = change
  const problems = failure && findProblems(failure)
  const missingText = (value: string) => (missing && value === '' ? kitText('required') : '')
  return (
    <Form isRunning={change.isRunning} onSubmit={change.run}>
      <PasswordField
        label={t('currentPassword')}
        name="password"
        autocomplete="current-password"
        problem={missingText(fields.current) || problems?.current}
        value={fields.current}
        onChangeValue={(current) => setFields({ ...fields, current })}
      />
      <NewPasswordField
        username={profile.username}
        email={profile.email}
        policy={policy}
        problem={missingText(fields.next) || problems?.next}
        value={fields.next}
        onChangeValue={(next) => setFields({ ...fields, next })}
      />
      {profile.totp_enabled && (
        <CodeField
          label={t('code')}
          hint={t('codeHint')}
          name="otp"
          problem={problems?.code}
          value={fields.code}
          onChangeValue={(code) => setFields({ ...fields, code })}
        />
      )}
      <Alert kind="problem">{failure && !problems && describeConfirmationFailure(failure)}</Alert>
      <div class="row">
        <Button type="submit">{t('changePassword')}</Button>
      </div>
    </Form>
  )
}

interface Problems {
  readonly current?: string
  readonly next?: string | undefined
  readonly code?: string
}

/** Returns what is wrong with which field, or undefined if the failure concerns none. */
const findProblems = (failure: ApiFailure): Problems | undefined => {
  const { code, reason, errors } = failure.problem
  const next = describePasswordProblems(failure)
  if (next) return { next }
  if (errors?.some(({ field }) => field === 'current_password')) return { current: t('wrongPassword') }
  const isCode = code === 'login_incomplete' && (reason === 'otp_required' || reason === 'otp_invalid')
  return isCode ? { code: t('wrongCode') } : undefined
}
