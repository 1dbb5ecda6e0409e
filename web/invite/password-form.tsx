import { useState } from 'preact/hooks'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import type { ApiFailure } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { Form } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { describePasswordProblems } from '../kit/new-password/describe-password-problems.ts'
import { NewPasswordField } from '../kit/new-password/new-password-field.tsx'
import { useAction } from '../kit/use-action.ts'
import { acceptWithPassword } from './invitation-api.ts'
import { type AcceptProps, settle } from './settle.ts'

const t = messagesOf('invite')

/** Accepts the invitation with a first password. If a second factor is required at once, the form says so first. */
export const PasswordForm = ({ token, invitation, onAccepted, onEnded }: AcceptProps) => {
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const accept = useAction(async (isForSetup: boolean): Promise<ApiFailure | undefined> => {
    setMissing(password === '')
    if (password === '') return focusPassword()
    const answer = await acceptWithPassword(token, password, isForSetup)
    const failed = settle(answer, (accepted) => onAccepted(accepted, isForSetup), onEnded)
    if (failed && describePasswordProblems(failed) !== undefined) focusPassword()
    return failed
  })
  const { failure } = accept
  const needsSetup = failure?.problem.reason === 'second_factor_setup_required'
  const problem = failure && describePasswordProblems(failure)
  return (
    <Form onSubmit={() => accept.run(needsSetup)}>
      <NewPasswordField
        label={t('password')}
        value={password}
        onChangeValue={setPassword}
        username={invitation.username}
        email={invitation.email}
        problem={isMissing && password === '' ? kit('required') : problem}
      />
      {needsSetup && <Alert>{t('needsSecondFactor')}</Alert>}
      <Alert kind="problem">
        {failure && !needsSetup && problem === undefined && describeFailure(failure)}
      </Alert>
      <Button type="submit" isRunning={accept.isRunning}>
        {needsSetup ? t('acceptAndSetUp') : t('accept')}
      </Button>
    </Form>
  )
}

const focusPassword = (): undefined => {
  document.querySelector<HTMLInputElement>('input[name="new-password"]')?.focus()
}
