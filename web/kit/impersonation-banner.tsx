import { Button } from './button.tsx'
import { callApi } from './call-api.ts'
import { describeFailure } from './describe-failure.ts'
import { t } from './messages.ts'
import { pageData } from './page-data.ts'
import { useAction } from './use-action.ts'

/** Reminds an administrator on every page that they act as another user. */
export const ImpersonationBanner = () => {
  const stop = useAction(async () => {
    const response = await callApi('POST', '/api/2/auth/impersonation/stop')
    // It may have ended in the meantime. The page then shows who is signed in.
    if (!response.isOk && response.status !== 401 && response.status !== 409) return response
    location.reload()
    return undefined
  })
  const { user } = pageData
  if (!user?.impersonatedBy) return null
  return (
    <aside class="impersonation" aria-label={t('impersonation')}>
      <p>{t('actAs', { name: user.displayName, admin: user.impersonatedBy })}</p>
      <Button look="secondary" isRunning={stop.isRunning} onClick={stop.run}>
        {t('stopActing')}
      </Button>
      {stop.failure && <p role="alert">{describeFailure(stop.failure)}</p>}
    </aside>
  )
}
