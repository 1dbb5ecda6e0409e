import { Alert, Button, useAction } from '../kit/button.tsx'
import { callApi } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { messagesOf } from '../kit/messages.ts'
import { describeUser } from './first-step.ts'
import type { SignedIn } from './sign-in-flow.ts'
import { returnTo, targetName } from './sign-in-options.ts'
import type { SignIn } from './use-sign-in.ts'

const t = messagesOf('signIn')

interface SignedInStepProps {
  readonly page: SignIn
  readonly user: SignedIn
  readonly problem?: string | undefined
  /** Whether the page offers to go on to where it was asked to lead. */
  readonly leads: boolean
  /** Whether it goes on at once. */
  readonly isLeaving: boolean
}

/** Who is signed in, and the ways on. */
export const SignedInStep = ({ page, user, problem, leads, isLeaving }: SignedInStepProps) => {
  const signOut = useAction(async () => {
    const response = await callApi('POST', '/api/2/auth/logout')
    if (!response.isOk && response.status !== 401) return response
    location.reload()
    return undefined
  })
  const leave = useAction(async () => {
    await page.leave(user)
    return undefined
  })
  return (
    <>
      <p role="status">{t('signedInAs', { name: describeUser(user) })}</p>
      <Alert kind="problem">{problem ?? (signOut.failure && describeFailure(signOut.failure))}</Alert>
      <div class="actions">
        {leads && returnTo !== undefined ? (
          <>
            <Button isRunning={leave.isRunning || isLeaving} onClick={leave.run}>
              {t('continueTo', { product: targetName })}
            </Button>
            <Button look="secondary" onClick={() => page.show({ name: 'credentials' })}>
              {t('useOtherAccount')}
            </Button>
          </>
        ) : (
          <>
            {!user.isGuest && (
              <a class="button primary" href="/account">
                {t('yourAccount')}
              </a>
            )}
            {user.canAdminister && (
              <a class="button secondary" href="/admin">
                {t('administration')}
              </a>
            )}
            <Button look="secondary" isRunning={signOut.isRunning} onClick={signOut.run}>
              {t('signOut')}
            </Button>
          </>
        )}
      </div>
    </>
  )
}
