import { cloneElement, type JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { PageProvider } from '../../lib/kernel/contract/page-data.ts'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { PasswordField, TextField } from '../kit/field.tsx'
import { Form, focusField } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { supportsPasskeys } from '../kit/passkeys.ts'
import { pageData } from '../kit/start-path.ts'
import { keepLastWay, readLastWay, type SignInWay } from './last-way.ts'
import { lookOfProvider, ProviderMark } from './provider-mark.tsx'
import { requestEmailCode, signIn } from './sign-in-flow.ts'
import {
  buildProviderUrl,
  findChoice,
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
  const suggest = () =>
    suggestPasskeys(
      (result) => page.complete(result, 'passkey'),
      () => showProblem(t('passkeyFailed')),
    )
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
  const [hinted, setHinted] = useState<string | undefined>()
  const lookUp = useAction(async (hints?: ReturnType<typeof findHints>) => {
    showProblem(undefined)
    isSent.current = password !== ''
    if (await pageHints.current) return undefined
    const skipped = new Promise<undefined>((resolve) => {
      skipLookup.current = () => resolve(undefined)
    })
    const response = await Promise.race([findRoute(hints ?? { username: username.trim() }), skipped])
    if (response?.isOk && (await openRoute(response.body, { isByAddress: hints !== undefined })))
      return undefined
    if (response?.isOk) setHinted(findChoice(response.body))
    onName(true)
    // Without an answer, people still have the password.
    if (response?.isOk === false && !hints) showProblem(describeSignInFailure(response))
    else if (isSent.current && typed.current.password !== '') await submit.run()
    return undefined
  })
  useEffect(() => {
    const hints = findHints()
    if (!hints) void findHintedProvider().then(setHinted)
    else if (username !== '') void lookUp.run(hints)
    // People can type a name until the page leaves.
    else
      pageHints.current = findRoute(hints).then((found) => {
        if (!found.isOk) return false
        setHinted(findChoice(found.body))
        return openRoute(found.body, { isByAddress: true })
      })
  }, [])
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
  /** Whether the person wants a code, and has yet to type the name that it goes to. */
  const wantsCode = useRef(false)
  const emailCode = useAction(async () => {
    const name = username.trim()
    wantsCode.current = name === ''
    if (!requireField('username', name)) return undefined
    showProblem(undefined)
    const response = await requestEmailCode(name)
    if (!response.isOk) return response
    page.show({ name: 'emailCode', username: name, requestId: response.body.request_id })
    return undefined
  })
  const sendForm = () => {
    if (wantsCode.current && password === '') void emailCode.run()
    else if (isNamed) void submit.run()
    else if (requireField('username', username.trim())) void lookUp.run()
  }
  const startOver = () => {
    showProblem(undefined)
    setPassword('')
    setHinted(undefined)
    onChangeUsername('')
    onName(false)
  }
  const { allowsEmailCodes, signUp, hasDomains } = pageData
  const offered = request.lacksProof
    ? pageData.providers.filter(({ preset }) => preset === undefined)
    : pageData.providers
  const providers = hasDomains && isNamed ? [] : offered
  const [lastWay] = useState(readLastWay)
  const ways: readonly Way[] = [
    ...(hinted
      ? [
          {
            name: 'company' as const,
            button: (
              <a key="hinted" class="button secondary" href={hinted} onClick={keepLinkForProvider}>
                {t('useCompany')}
              </a>
            ),
          },
        ]
      : []),
    ...providers.map((provider) => ({
      // A company stays with the others: it would say where the last person works.
      name: provider.preset === undefined ? undefined : (`${provider.id}` as const),
      button: <ProviderLink key={provider.id} {...provider} />,
    })),
    ...(supportsPasskeys()
      ? [
          {
            name: 'passkey' as const,
            button: (
              <Button key="passkey" look="secondary" isRunning={passkey.isRunning} onClick={passkey.run}>
                {t('usePasskey')}
              </Button>
            ),
          },
        ]
      : []),
    ...(allowsEmailCodes
      ? [
          {
            name: 'email_code' as const,
            button: (
              <Button key="email" look="secondary" isRunning={emailCode.isRunning} onClick={emailCode.run}>
                {t('useEmailCode')}
              </Button>
            ),
          },
        ]
      : []),
  ]
  // A domain leads to a company, so this is what most people of it want.
  const firstName = hinted && isNamed ? 'company' : findFirstName(lastWay)
  const first = ways.find(({ name }) => name !== undefined && name === firstName)
  // The code goes to the address in the form.
  const [above, below] = first?.name === 'email_code' ? [undefined, first] : [first, undefined]
  const others = ways.filter((way) => way !== first)
  const signUpLink = signUp && <a href="/sign-up">{t('createAccount')}</a>
  const show = ({ name, button }: Way) =>
    name === lastWay && name !== undefined ? <UsedLast key={name}>{button}</UsedLast> : button
  return (
    <>
      {notice && <p role="status">{notice}</p>}
      {pageData.brand.greeting && <p>{pageData.brand.greeting}</p>}
      <Alert kind="problem">
        {problem ?? (emailCode.failure && describeSignInFailure(emailCode.failure))}
      </Alert>
      {above && show(above)}
      <Form
        isRunning={lookUp.isRunning || submit.isRunning}
        next={isNamed ? undefined : 'password'}
        onSubmit={sendForm}
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
                wantsCode.current = false
                onName(true)
              }}
            >
              {t('usePasswordInstead')}
            </Button>
          </>
        )}
      </Form>
      {!isNamed && signUpLink}
      {(below || others.length > 0) && (
        <section class={ways.length > 3 ? 'actions many' : 'actions'} aria-label={t('otherWays')}>
          <span class="divider" aria-hidden="true">
            {t('otherWays')}
          </span>
          {below && show(below)}
          {others.map(show)}
        </section>
      )}
    </>
  )
}

/** A way to sign in besides the form. */
interface Way {
  /** Missing for a way that never comes first. */
  readonly name: SignInWay | 'company' | undefined
  readonly button: JSX.Element
}

/** The way that comes first: the one that was used last here, or the only one that the policy accepts. */
const findFirstName = (lastWay: string | undefined): string | undefined =>
  pageData.passkeysOnly && (lastWay === undefined || lastWay === 'password') ? 'passkey' : lastWay

const ProviderLink = ({
  id,
  name,
  startPath,
  preset,
  ...described
}: PageProvider & Pick<JSX.IntrinsicElements['a'], 'aria-describedby'>) => (
  <a
    {...described}
    class={lookOfProvider(preset)}
    href={buildProviderUrl(startPath)}
    onClick={() => {
      if (preset !== undefined) keepLastWay(`${id}`)
      keepLinkForProvider()
    }}
  >
    <ProviderMark preset={preset} />
    {t('useProvider', { name })}
  </a>
)

/** Marks the way that was used last in this browser. */
const UsedLast = ({ children }: { readonly children: JSX.Element }) => (
  <div class="used-last">
    {cloneElement(children, { 'aria-describedby': 'used-last' })}
    <span id="used-last">{t('usedLast')}</span>
  </div>
)

/** The name that the form begins with. */
export const findFirstUsername = (): string => {
  const { user } = pageData
  return request.loginHint || (request.requiresSignIn && user && !user.isGuest ? user.username : '')
}
