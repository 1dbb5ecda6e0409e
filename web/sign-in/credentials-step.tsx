import { useEffect, useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { PasswordField, TextField } from '../kit/field.tsx'
import { Form, focusField } from '../kit/form.tsx'
import { messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/page-data.ts'
import { supportsPasskeys } from '../kit/passkeys.ts'
import { useAction } from '../kit/use-action.ts'
import { requestEmailCode, signIn } from './sign-in-flow.ts'
import { buildProviderUrl, keepLinkForProvider, request } from './sign-in-options.ts'
import type { SignIn } from './use-sign-in.ts'
import { describeSignInFailure, stopSuggestingPasskeys, suggestPasskeys } from './use-sign-in.ts'

const t = messagesOf('signIn')

interface CredentialsStepProps {
  readonly page: SignIn
  readonly notice?: string | undefined
  readonly problem?: string | undefined
  /** Whom the form is filled in for. */
  readonly username: string
  readonly onChangeUsername: (username: string) => void
}

/** The username and the password, and all other ways to sign in. */
export const CredentialsStep = (props: CredentialsStepProps) => {
  const { page, notice, username, onChangeUsername } = props
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState(props.problem)
  const [missing, setMissing] = useState<'username' | 'password' | undefined>()
  const showProblem = (text: string | undefined) => {
    setMissing(undefined)
    setProblem(text)
  }
  const suggest = () => suggestPasskeys(page.complete, () => showProblem(t('passkeyFailed')))
  useEffect(() => {
    void suggest()
    return stopSuggestingPasskeys
  }, [])
  const requireField = (field: 'username' | 'password', value: string): boolean => {
    if (value !== '') return true
    setProblem(undefined)
    setMissing(field)
    focusField(field)
    return false
  }
  const submit = useAction(async () => {
    if (!requireField('username', username) || !requireField('password', password)) return undefined
    showProblem(undefined)
    const failure = await page.finish(await signIn({ username, password }))
    if (failure) {
      showProblem(describeSignInFailure(failure))
      if (failure.status === 401) focusField('password')
    }
    return undefined
  })
  const passkey = useAction(async () => {
    showProblem(undefined)
    const text = await page.usePasskey()
    showProblem(text)
    if (text !== undefined) void suggest()
    return undefined
  })
  const emailCode = useAction(async () => {
    const name = username.trim()
    if (!requireField('username', name)) return undefined
    showProblem(undefined)
    const response = await requestEmailCode(name)
    if (!response.isOk) return response
    page.show({ name: 'emailCode', username: name, requestId: response.body.request_id })
    return undefined
  })
  const { providers, allowsEmailCodes, signUp } = pageData
  const hasPasskeys = supportsPasskeys()
  return (
    <>
      {notice && <p role="status">{notice}</p>}
      {pageData.brand.greeting && <p>{pageData.brand.greeting}</p>}
      <Alert kind="problem">
        {problem ?? (emailCode.failure && describeSignInFailure(emailCode.failure))}
      </Alert>
      <Form onSubmit={submit.run}>
        <TextField
          label={t('username')}
          name="username"
          value={username}
          onChangeValue={onChangeUsername}
          problem={missing === 'username' && t('enterUsername')}
          autocomplete="username webauthn"
          autocapitalize="none"
          spellcheck={false}
          required
          autoFocus={username === ''}
        />
        <PasswordField
          label={t('password')}
          name="password"
          value={password}
          onChangeValue={setPassword}
          problem={missing === 'password' && t('enterPassword')}
          autocomplete="current-password"
          required
          autoFocus={username !== ''}
        />
        <Button type="submit" isRunning={submit.isRunning}>
          {t('signIn')}
        </Button>
        <Button look="quiet" onClick={() => page.show({ name: 'forgotPassword', username: username.trim() })}>
          {t('forgotPassword')}
        </Button>
      </Form>
      {signUp && <a href="/sign-up">{t('createAccount')}</a>}
      {(hasPasskeys || allowsEmailCodes || providers.length > 0) && (
        <section class="actions" aria-label={t('otherWays')}>
          <span class="divider" aria-hidden="true">
            {t('otherWays')}
          </span>
          {providers.map(({ id, name, kind }) => (
            <a
              key={id}
              class="button secondary"
              href={buildProviderUrl({ id, ...(kind ? { kind } : {}) })}
              onClick={keepLinkForProvider}
            >
              {t('useProvider', { name })}
            </a>
          ))}
          {hasPasskeys && (
            <Button look="secondary" isRunning={passkey.isRunning} onClick={passkey.run}>
              {t('usePasskey')}
            </Button>
          )}
          {allowsEmailCodes && (
            <Button look="secondary" isRunning={emailCode.isRunning} onClick={emailCode.run}>
              {t('useEmailCode')}
            </Button>
          )}
        </section>
      )}
    </>
  )
}

/** The name that the form begins with. */
export const findFirstUsername = (): string => {
  const { user } = pageData
  return request.loginHint || (request.requiresSignIn && user && !user.isGuest ? user.username : '')
}
