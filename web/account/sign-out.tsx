import { type AccountProfile, consolePermissions } from '../../lib/contract/page-data.ts'
import { Alert } from '../kit/alert.tsx'
import { Button } from '../kit/button.tsx'
import { callApi } from '../kit/call-api.ts'
import { describeFailure } from '../kit/describe-failure.ts'
import { messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/page-data.ts'
import { useAction } from '../kit/use-action.ts'

const t = messagesOf('account')

interface SignOutProps {
  readonly profile?: AccountProfile
}

/** Who is signed in, the way to the administration, and the button that signs out. */
export const SignOut = ({ profile }: SignOutProps) => {
  const signOut = useAction(async () => {
    const response = await callApi('POST', '/api/2/auth/logout')
    if (!response.isOk) return response
    location.assign(pageData.signInUrl)
    return undefined
  })
  const mayAdminister = profile?.effective_permissions.some((name) => consolePermissions.includes(name))
  return (
    <>
      {profile && <bdi class="user-name">{profile.display_name}</bdi>}
      {mayAdminister && <a href="/admin">{t('administration')}</a>}
      <Alert kind="problem">{signOut.failure && describeFailure(signOut.failure)}</Alert>
      <Button look="secondary" isRunning={signOut.isRunning} onClick={signOut.run}>
        {t('signOut')}
      </Button>
    </>
  )
}
