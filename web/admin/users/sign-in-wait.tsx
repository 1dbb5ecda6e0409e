import { useState } from 'preact/hooks'
import type { ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { toFailure } from '../../kit/call-api.ts'
import { formatSoon } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { showToast } from '../kit/toast.tsx'
import { findEnd, useWaits } from './use-waits.tsx'

const people = messagesOf('people')
const t = messagesOf('users')

/** Says on the page of a user that they must wait, and lets them in. */
export const SignInWait = ({ user }: { readonly user: ServiceUserDetail }) => {
  const { waits, reload } = useWaits(user.id)
  const [isAsking, setAsking] = useState(false)
  const name = user.display_name
  const end = findEnd(waits)
  return (
    <>
      <Alert kind="warning">
        {waits.length > 0 && (
          <>
            {end === null ? t('blockedNotice', { name }) : t('waitNotice', { name, time: formatSoon(end) })}{' '}
            <Button look="secondary" onClick={() => setAsking(true)}>
              {t('letIn')}
            </Button>
          </>
        )}
      </Alert>
      {isAsking && (
        <ConfirmDialog
          heading={t('letInHeading', { name })}
          action={t('letIn')}
          look="primary"
          failures={{ permission_denied: people('notAllowedForUser') }}
          onConfirm={async () => {
            // A wait can end before it is lifted.
            for (const { key } of waits)
              await client.audit.liftRateLimit(key).catch((error: unknown) => {
                if (toFailure(error).status !== 404) throw error
              })
            showToast(t('letInDone', { name }))
            await reload()
            return undefined
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('letInText', { name })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
