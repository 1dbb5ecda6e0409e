import { useEffect, useRef, useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { PasswordField, TextField } from '../kit/field.tsx'
import { Form, focusField } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { supportsPasskeys } from '../kit/passkeys.ts'
import { pageData } from '../kit/start-path.ts'
import { lookOfProvider, ProviderMark } from './provider-mark.tsx'
import { requestEmailCode, signIn } from './sign-in-flow.ts'
import {
  buildProviderUrl,
  findHintedProvider,
  findHints,
  findRoute,
  keepLinkForProvider,
  openRoute,
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
  // What the person typed by now. An answer of the service finds newer values than those that were sent.
  const typed = useRef({ username, password })
  typed.current = { username, password }
  /** Whether the person sent the password before they saw its field, as some type, and password managers do. */
  const isSent = useRef(false)
  const skipLookup = useRef(() => {})
  const pageHints = useRef<Promise<boolean> | undefined>(undefined)
  const lookUp = useAction(async (hints?: ReturnType<typeof findHints>) => {
    showProblem(undefined)
    isSent.current = password !== ''
    if (await pageHints.current) return undefined
    const skipped = new Promise<undefined>((resolve) => {
      skipLookup.current = () => resolve(undefined)
    })
    const response = await Promise.race([findRoute(hints ?? { username: username.trim() }), skipped])
    if (response?.isOk && (await openRoute(response.body, hints !== undefined))) return undefined
    onName(true)
    // Without an answer, people still have the password.
    if (response?.isOk === false && !hints) showProblem(describeSignInFailure(response))
    else if (isSent.current && typed.current.password !== '') await submit.run()
    return undefined
  })
  const [hinted, setHinted] = useState<string | undefined>()
  useEffect(() => {
    const hints = findHints()
    if (!hints) void findHintedProvider().then(setHinted)
    else if (username !== '') void lookUp.run(hints)
    // People can type a name until the page leaves.
    else pageHints.current = findRoute(hints).then((found) => found.isOk && openRoute(found.body, true))
  }, [])
  const sendName = () => {
    if (requireField('username', username.trim())) void lookUp.run()
  }
  const submit = useAction(async () => {
    const { username, password } = typed.current
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
  const ways = [...providers, hinted, hasPasskeys, allowsEmailCodes].filter(Boolean).length
  const signUpLink = signUp && <a href="/sign-up">{t('createAccount')}</a>
  return (
    <>
      {notice && <p role="status">{notice}</p>}
      {pageData.brand.greeting && <p>{pageData.brand.greeting}</p>}
      <Alert kind="problem">
        {problem ?? (emailCode.failure && describeSignInFailure(emailCode.failure))}
      </Alert>
      <Form
        isRunning={lookUp.isRunning || submit.isRunning}
        next={isNamed ? undefined : 'password'}
        onSubmit={isNamed ? submit.run : sendName}
        onSubmitNext={() => {
          isSent.current = true
        }}
      >
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
        {/* Password managers fill a name and a password together. The field also gets what people type during the look-up. */}
        <PasswordField
          label={t('password')}
          name="password"
          isHidden={!isNamed}
          value={password}
          onChangeValue={setPassword}
          problem={missing === 'password' && t('enterPassword')}
          autocomplete="current-password"
          required={isNamed}
          autoFocus={isNamed && username !== ''}
        />
        {isNamed ? (
          <>
            <Button type="submit">{t('signIn')}</Button>
            <div class="row help">
              <Button
                look="quiet"
                onClick={() => page.show({ name: 'forgotPassword', username: username.trim() })}
              >
                {t('forgotPassword')}
              </Button>
              {signUpLink}
            </div>
            {hasDomains && (
              <Button look="quiet" onClick={startOver}>
                {t('notYou')}
              </Button>
            )}
          </>
        ) : (
          <>
            <Button type="submit">{kit('continue')}</Button>
            <Button
              look="quiet"
              onClick={() => {
                skipLookup.current()
                onName(true)
              }}
            >
              {t('usePasswordInstead')}
            </Button>
          </>
        )}
      </Form>
      {!isNamed && signUpLink}
      {ways > 0 && (
        <section class={ways > 3 ? 'actions many' : 'actions'} aria-label={t('otherWays')}>
          <span class="divider" aria-hidden="true">
            {t('otherWays')}
          </span>
          {hinted && (
            <a class="button secondary" href={hinted} onClick={keepLinkForProvider}>
              {t('useCompany')}
            </a>
          )}
          {providers.map(({ id, name, startPath, preset }) => (
            <a
              key={id}
              class={lookOfProvider(preset)}
              href={buildProviderUrl(startPath)}
              onClick={keepLinkForProvider}
            >
              <ProviderMark preset={preset} />
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
