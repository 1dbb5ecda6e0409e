import { useEffect, useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { PasswordField, TextField } from '../kit/field.tsx'
import { Form, focusField } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { supportsPasskeys } from '../kit/passkeys.ts'
import { getStartPath, pageData } from '../kit/start-path.ts'
import { requestEmailCode, signIn } from './sign-in-flow.ts'
import {
  buildProviderUrl,
  findHintedProvider,
  followAddress,
  followHints,
  hasHints,
  keepLinkForProvider,
  request,
} from './sign-in-options.ts'
import { describeSignInFailure, type SignIn, stopSuggestingPasskeys, suggestPasskeys } from './use-sign-in.ts'

const t = messagesOf('signIn')

interface CredentialsStepProps {
  readonly page: SignIn
  readonly notice?: string | undefined
  readonly problem?: string | undefined
  /** Whether the page asks for the password. Before, it asks for the username or address alone. */
  readonly isNamed: boolean
  readonly onName: (isNamed: boolean) => void
  /** Whom the form is filled in for. */
  readonly username: string
  readonly onChangeUsername: (username: string) => void
}

/** The username and the password, and all other ways to sign in. */
export const CredentialsStep = (props: CredentialsStepProps) => {
  const { page, notice, username, onChangeUsername, isNamed, onName } = props
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
  const name = useAction(async () => {
    if (!requireField('username', username.trim())) return undefined
    showProblem(undefined)
    const response = await followAddress(username.trim())
    if (response.isOk && response.body) return undefined
    // Without an answer, people still have the password.
    if (!response.isOk) showProblem(describeSignInFailure(response))
    onName(true)
    return undefined
  })
  const hints = useAction(async () => {
    const isLeaving = await followHints()
    if (!isLeaving && username !== '') onName(true)
    return undefined
  })
  const [hinted, setHinted] = useState<string | undefined>()
  useEffect(() => {
    if (hasHints()) void hints.run()
    else void findHintedProvider().then(setHinted)
  }, [])
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
  const startOver = () => {
    showProblem(undefined)
    setPassword('')
    onChangeUsername('')
    onName(false)
  }
  const { allowsEmailCodes, signUp, hasDomains } = pageData
  const providers = hasDomains && isNamed ? [] : pageData.providers
  const hasPasskeys = supportsPasskeys()
  return (
    <>
      {notice && <p role="status">{notice}</p>}
      {pageData.brand.greeting && <p>{pageData.brand.greeting}</p>}
      <Alert kind="problem">
        {problem ?? (emailCode.failure && describeSignInFailure(emailCode.failure))}
      </Alert>
      <Form onSubmit={isNamed ? submit.run : name.run}>
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
          autoFocus={username === '' || !isNamed}
        />
        {isNamed ? (
          <>
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
            <Button
              look="quiet"
              onClick={() => page.show({ name: 'forgotPassword', username: username.trim() })}
            >
              {t('forgotPassword')}
            </Button>
            {hasDomains && (
              <Button look="quiet" onClick={startOver}>
                {t('notYou')}
              </Button>
            )}
          </>
        ) : (
          <>
            <HiddenPassword value={password} onChangeValue={setPassword} />
            <Button type="submit" isRunning={name.isRunning || hints.isRunning}>
              {kit('continue')}
            </Button>
            <Button look="quiet" onClick={() => onName(true)}>
              {t('usePasswordInstead')}
            </Button>
          </>
        )}
      </Form>
      {signUp && <a href="/sign-up">{t('createAccount')}</a>}
      {(hasPasskeys || allowsEmailCodes || providers.length > 0 || hinted) && (
        <section class="actions" aria-label={t('otherWays')}>
          <span class="divider" aria-hidden="true">
            {t('otherWays')}
          </span>
          {hinted && (
            <a class="button secondary" href={hinted} onClick={keepLinkForProvider}>
              {t('useCompany')}
            </a>
          )}
          {providers.map(({ id, name, kind }) => (
            <a
              key={id}
              class="button secondary"
              href={buildProviderUrl(getStartPath({ id, ...(kind ? { kind } : {}) }))}
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

interface HiddenPasswordProps {
  readonly value: string
  readonly onChangeValue: (value: string) => void
}

/** Password managers fill a name and a password together, so the first step has a field for it that people do not see. */
const HiddenPassword = ({ value, onChangeValue }: HiddenPasswordProps) => (
  <input
    class="for-screen-readers"
    type="password"
    name="password"
    autocomplete="current-password"
    aria-hidden="true"
    tabIndex={-1}
    value={value}
    onInput={(event) => onChangeValue(event.currentTarget.value)}
  />
)

/** The name that the form begins with. */
export const findFirstUsername = (): string => {
  const { user } = pageData
  return request.loginHint || (request.requiresSignIn && user && !user.isGuest ? user.username : '')
}
