import { useState } from 'preact/hooks'
import type { ConfirmationWays } from '../../lib/kernel/contract/page-data.ts'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { type ApiFailure, callApi } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { Dialog } from '../kit/dialog.tsx'
import { CodeField, PasswordField } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { t as kitText, messagesOf } from '../kit/messages.ts'
import { describePasskeyError, requestPasskey, supportsPasskeys } from '../kit/passkeys.ts'
import { pageData } from '../kit/start-path.ts'
import { openProvider, signInAgain } from './client.ts'

const t = messagesOf('session')

interface ConfirmIdentityProps {
  readonly onFinish: (isConfirmed: boolean) => void
}

/** Asks the person to confirm their identity by the ways that they have. */
export const ConfirmIdentity = ({ onFinish }: ConfirmIdentityProps) => {
  const { hasPassword, hasPasskey, providerStartPath } = getConfirmationWays()
  const [mayUsePasskey, setMayUsePasskey] = useState(hasPasskey && supportsPasskeys())
  // What the service asks for instead of the password.
  const [needed, setNeeded] = useState<ApiFailure['problem']>({})
  const companyStartPath = needed.saml_provider?.login_url ?? null
  const hasNoWay = !hasPassword && !mayUsePasskey && providerStartPath === null
  const signsInAgain = hasNoWay || needed.reason === 'second_factor_setup_required'
  const startPath = companyStartPath ?? (hasPassword ? null : providerStartPath)
  return (
    <Dialog heading={t('confirmHeading')} onClose={() => onFinish(false)}>
      <p>{hasNoWay ? t('confirmBySigningIn') : t('confirmText')}</p>
      {hasPassword && (
        <PasswordForm
          onConfirm={() => onFinish(true)}
          onRefuse={(problem) => {
            if (problem.reason === 'passkey_required') setMayUsePasskey(true)
            setNeeded(problem)
          }}
        />
      )}
      {mayUsePasskey && (
        <PasskeyButton isOnly={!hasPassword} onConfirm={() => onFinish(true)} onRefuse={setNeeded} />
      )}
      {startPath !== null && (
        <Button look="secondary" onClick={() => openProvider(startPath)}>
          {t('confirmWithProvider')}
        </Button>
      )}
      {signsInAgain && <Button onClick={signInAgain}>{t('signInAgain')}</Button>}
      <Button look="quiet" onClick={() => onFinish(false)}>
        {kitText('cancel')}
      </Button>
    </Dialog>
  )
}

interface PasswordFormProps {
  readonly onConfirm: () => void
  readonly onRefuse: (problem: ApiFailure['problem']) => void
}

const PasswordForm = ({ onConfirm, onRefuse }: PasswordFormProps) => {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const confirm = useAction(async (code: string) => {
    const body = { password, ...(code ? { otp: code } : {}) }
    const response = await callApi('POST', '/api/2/auth/reauthenticate', { body })
    if (response.isOk) {
      onConfirm()
      return undefined
    }
    onRefuse(response.problem)
    if (response.problem.reason !== 'otp_required') return response
    setNeedsCode(true)
    return undefined
  })
  return (
    <Form isRunning={confirm.isRunning} onSubmit={() => void confirm.run(code)}>
      <Alert kind="problem">{confirm.failure && describeConfirmationFailure(confirm.failure)}</Alert>
      {/* Password managers look for the account that the password belongs to. */}
      <input
        class="for-screen-readers"
        name="username"
        autocomplete="username"
        value={pageData.user?.username}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <PasswordField
        label={t('password')}
        name="password"
        autocomplete="current-password"
        value={password}
        onChangeValue={setPassword}
        autoFocus
      />
      {needsCode && (
        <CodeField
          label={t('code')}
          hint={t('codeHint')}
          name="otp"
          value={code}
          onChangeValue={setCode}
          onComplete={(text) => void confirm.run(text)}
        />
      )}
      <Button type="submit">{t('confirm')}</Button>
    </Form>
  )
}

interface PasskeyButtonProps {
  readonly isOnly: boolean
  readonly onConfirm: () => void
  readonly onRefuse: (problem: ApiFailure['problem']) => void
}

const PasskeyButton = ({ isOnly, onConfirm, onRefuse }: PasskeyButtonProps) => {
  const [problem, setProblem] = useState('')
  const confirm = useAction(async () => {
    setProblem('')
    const path = '/api/2/auth/passkeys/reauthenticate'
    const start = await callApi<PublicKeyCredentialRequestOptionsJSON>('POST', `${path}/options`)
    if (!start.isOk) return start
    const credential = await requestPasskey(start.body).catch((error: unknown) => {
      setProblem(describePasskeyError(error))
    })
    if (!credential) return undefined
    const response = await callApi('POST', path, { body: { credential } })
    if (!response.isOk) {
      onRefuse(response.problem)
      return response
    }
    onConfirm()
    return undefined
  })
  return (
    <div class="stack">
      <Alert kind="problem">{confirm.failure ? describeConfirmationFailure(confirm.failure) : problem}</Alert>
      <Button look={isOnly ? 'primary' : 'secondary'} isRunning={confirm.isRunning} onClick={confirm.run}>
        {t('confirmWithPasskey')}
      </Button>
    </div>
  )
}

/** Explains why a proof of identity is too little. */
export const describeConfirmationFailure = (failure: ApiFailure): string =>
  describeFailure(failure, {
    invalid_request: t('wrongPassword'),
    otp_invalid: t('wrongCode'),
    passkey_required: t('passkeyRequired'),
    sso_required: t('companyRequired'),
    password_change_required: t('passwordToReplace'),
    password_breached: t('breachedEmail'),
    login_failed: t('wrongPasskey'),
    second_factor_setup_required: t('confirmBySigningIn'),
  })

let ways: ConfirmationWays = pageData.user?.confirmation ?? {
  hasPassword: false,
  hasPasskey: false,
  lacksCode: false,
  providerStartPath: null,
}

/** How the person can confirm their identity now. */
const getConfirmationWays = (): ConfirmationWays => ways

/** Reports that the person added or removed a way since the page was loaded. */
export const updateConfirmationWays = (changes: Partial<ConfirmationWays>): void => {
  ways = { ...ways, ...changes }
}
