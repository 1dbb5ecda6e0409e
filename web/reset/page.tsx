import { useEffect, useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { type ApiFailure, callApi } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { Checkbox } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { type LinkState, replaceLinkState, useLinkState } from '../kit/link-state.ts'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { CardPage } from '../kit/page-frame.tsx'
import { getSignInAddress } from '../kit/sign-in-address.ts'
import { startPage } from '../kit/start-page.tsx'
import { NewPasswordField } from '../new-password/new-password-field.tsx'
import {
  describePasswordProblems,
  fetchPasswordAccount,
  type PasswordAccount,
} from '../new-password/password-policy.ts'

const t = messagesOf('reset')

type View = 'checking' | 'form' | 'done' | 'incomplete' | 'used'

const chooseView = ({ isDone, token }: LinkState): View => {
  if (isDone) return 'done'
  return token ? 'checking' : 'incomplete'
}

interface ResetPageProps {
  readonly state: LinkState
}

/** The page that a password reset link opens. */
const ResetPage = ({ state }: ResetPageProps) => {
  const { token = '' } = state
  const [view, setView] = useState(() => chooseView(state))
  const [account, setAccount] = useState<PasswordAccount>({})
  useEffect(() => {
    if (view !== 'checking') return
    void fetchPasswordAccount(token).then((response) => {
      // The form also works without the answer.
      if (response.isOk) setAccount(response.body)
      setView(!response.isOk && response.status === 401 ? 'used' : 'form')
    })
  }, [])
  const finish = () => {
    replaceLinkState({ isDone: true })
    setView('done')
  }
  return (
    <CardPage
      heading={view === 'done' ? t('doneHeading') : t('heading')}
      step={view === 'done' ? 'done' : 'form'}
    >
      {view === 'checking' && <p role="status">{t('checking')}</p>}
      {view === 'form' && (
        <ResetForm token={token} account={account} onDone={finish} onUsed={() => setView('used')} />
      )}
      {view === 'done' && (
        <>
          <p role="status">{t('done')}</p>
          <a class="button primary" href={getSignInAddress()}>
            {t('signIn')}
          </a>
        </>
      )}
      {(view === 'incomplete' || view === 'used') && (
        <>
          <Alert kind="problem">
            {view === 'used' ? t('used') : t('incomplete')} {t('getNewLink')}
          </Alert>
          <a class="button secondary" href={getSignInAddress()}>
            {t('goToSignIn')}
          </a>
        </>
      )}
    </CardPage>
  )
}

interface ResetFormProps {
  readonly token: string
  readonly account: PasswordAccount
  readonly onDone: () => void
  /** Called when the link turns out to be used or expired. */
  readonly onUsed: () => void
}

const isUsed = ({ status, problem }: ApiFailure): boolean =>
  status === 401 || problem.code === 'invalid_token'

/** The new password. */
const ResetForm = ({ token, account: { username, policy }, onDone, onUsed }: ResetFormProps) => {
  const [password, setPassword] = useState('')
  const [suggestions, setSuggestions] = useState(0)
  const [endsApiTokens, setEndsApiTokens] = useState(false)
  const [fieldProblem, setFieldProblem] = useState<string | undefined>()
  const [problem, setProblem] = useState<string | undefined>()
  const showFailure = (failure: ApiFailure) => {
    if (isUsed(failure)) return onUsed()
    const text = describePasswordProblems(failure)
    setFieldProblem(text)
    if (text === undefined) setProblem(describeFailure(failure))
  }
  const focusPassword = () => document.querySelector<HTMLElement>('[name="new-password"]')?.focus()
  const save = useAction(async () => {
    setProblem(undefined)
    setFieldProblem(password === '' ? kit('required') : undefined)
    if (password === '') {
      focusPassword()
      return undefined
    }
    const body = { token, password, ...(endsApiTokens ? { end_api_tokens: true } : {}) }
    const response = await callApi('POST', '/api/2/auth/reset-password', { body })
    if (response.isOk) onDone()
    else {
      showFailure(response)
      focusPassword()
    }
    return undefined
  })
  const suggest = useAction(async () => {
    setProblem(undefined)
    setFieldProblem(undefined)
    const path = '/api/2/auth/generate-password'
    const response = await callApi<{ readonly password: string }>('POST', path, { bearer: token })
    if (!response.isOk) showFailure(response)
    else {
      setPassword(response.body.password)
      setSuggestions(suggestions + 1)
    }
    return undefined
  })
  return (
    <Form isRunning={save.isRunning} onSubmit={save.run}>
      {username !== undefined && <p>{t('account', { username })}</p>}
      <Alert kind="problem">{problem}</Alert>
      <Alert>{suggestions > 0 && t('saveSuggestion')}</Alert>
      <NewPasswordField
        key={suggestions}
        value={password}
        onChangeValue={setPassword}
        problem={fieldProblem}
        username={username}
        policy={policy}
        startsShown={suggestions > 0}
      />
      <Button look="quiet" isRunning={suggest.isRunning} onClick={suggest.run}>
        {t('suggest')}
      </Button>
      <Checkbox label={t('endApiTokens')} isChecked={endsApiTokens} onChange={setEndsApiTokens} />
      <Button type="submit">{t('save')}</Button>
    </Form>
  )
}

const Page = () => {
  const link = useLinkState()
  return link ? <ResetPage key={link.visit} state={link.state} /> : null
}

/** Shows the page where people choose a new password. */
export const startResetPage = (): Promise<void> => startPage(Page)
