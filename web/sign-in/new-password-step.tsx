import { useLayoutEffect, useState } from 'preact/hooks'
import { Alert, Button, useAction } from '../kit/button.tsx'
import { Form, focusField } from '../kit/form.tsx'
import { t as kit, messagesOf } from '../kit/messages.ts'
import { NewPasswordField } from '../new-password/new-password-field.tsx'
import { describePasswordProblems, type PasswordPolicy } from '../new-password/password-policy.ts'
import { type Credentials, signIn } from './sign-in-flow.ts'
import { describeSignInFailure, type SignIn } from './use-sign-in.ts'

const t = messagesOf('signIn')

interface NewPasswordStepProps {
  readonly page: SignIn
  readonly credentials: Credentials
  readonly policy: PasswordPolicy | undefined
  /** Whether the old password was found in a data breach. */
  readonly isBreached: boolean
  readonly onBack: () => void
}

/** The new password of an account whose password must be changed. */
export const NewPasswordStep = (props: NewPasswordStepProps) => {
  const { page, credentials, policy, isBreached, onBack } = props
  const [newPassword, setNewPassword] = useState('')
  const [fieldProblem, setFieldProblem] = useState<string | undefined>()
  const [problem, setProblem] = useState<string | undefined>()
  // The script of this step can arrive after the heading has received the focus.
  useLayoutEffect(() => focusField('new-password'), [])
  const submit = useAction(async () => {
    setProblem(undefined)
    setFieldProblem(newPassword === '' ? kit('required') : undefined)
    const failure =
      newPassword === '' ? undefined : await page.finish(await signIn({ ...credentials, newPassword }))
    if (failure) {
      const text = describePasswordProblems(failure)
      setFieldProblem(text)
      if (text === undefined) setProblem(describeSignInFailure(failure))
    }
    if (failure || newPassword === '') focusField('new-password')
    return undefined
  })
  return (
    <>
      <p>{t(isBreached ? 'breachedHint' : 'newPasswordHint')}</p>
      <Alert kind="problem">{problem}</Alert>
      <Form isRunning={submit.isRunning} onSubmit={submit.run}>
        <NewPasswordField
          value={newPassword}
          onChangeValue={setNewPassword}
          problem={fieldProblem}
          autoFocus
          username={credentials.username}
          policy={policy}
        />
        <Button type="submit">{t('saveAndSignIn')}</Button>
        <Button look="quiet" onClick={onBack}>
          {kit('back')}
        </Button>
      </Form>
    </>
  )
}
