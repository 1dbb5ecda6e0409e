import { useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { type ApiFailure, callApi } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { Checkbox } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { describePasswordProblems } from '../kit/new-password/describe-password-problems.ts'
import { NewPasswordField } from '../kit/new-password/new-password-field.tsx'
import { useAction } from '../kit/use-action.ts'
import type { LinkAccount } from './link-account.ts'

const t = messagesOf('reset')

interface ResetFormProps {
  readonly token: string
  readonly account: LinkAccount
  readonly onDone: () => void
  /** Called when the link turns out to be used or expired. */
  readonly onUsed: () => void
}

const isUsed = ({ status, problem }: ApiFailure): boolean =>
  status === 401 || problem.code === 'invalid_token'

/** The new password. */
export const ResetForm = ({ token, account: { username, policy }, onDone, onUsed }: ResetFormProps) => {
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
    <Form onSubmit={save.run}>
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
      <Button type="submit" isRunning={save.isRunning}>
        {t('save')}
      </Button>
    </Form>
  )
}
