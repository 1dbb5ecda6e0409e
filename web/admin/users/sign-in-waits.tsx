import { useEffect, useState } from 'preact/hooks'
import type { RateLimitedSubject, ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { Alert, Button } from '../../kit/button.tsx'
import { toFailure } from '../../kit/call-api.ts'
import { formatSoon } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import { useCurrentUser } from '../kit/current-user.ts'
import { Tag } from '../kit/panel.tsx'
import { showToast } from '../kit/toast.tsx'

const people = messagesOf('people')
const t = messagesOf('users')

/** The limits that keep a person from signing in. */
const signInLimits = ['signInDelays', 'accountFailures', 'otpGuesses']

/** Reads who must wait to sign in, of all users or of one. It is read again when the first wait is over. */
const useWaits = (user?: number) => {
  const { can } = useCurrentUser()
  const mayRead = can('users:manage')
  const loaded = useLoaded(
    async (options) =>
      mayRead ? client.audit.listRateLimitedSubjects({ user, limit: 100 }, options) : undefined,
    String(user),
  )
  const waits = (loaded.value?.items ?? []).filter(({ name }) => signInLimits.includes(name))
  const ends = waits.flatMap(({ until }) => (until === null ? [] : Date.parse(until)))
  const next = Math.min(...ends)
  useEffect(() => {
    if (!Number.isFinite(next)) return
    const timer = setTimeout(loaded.reload, Math.max(0, next - Date.now()) + 1000)
    return () => clearTimeout(timer)
  }, [next])
  return { waits, reload: loaded.reload }
}

/** When the last of the waits is over. Null if only a success or a new password ends it. */
const findEnd = (waits: readonly RateLimitedSubject[]): string | null =>
  waits.some(({ until }) => until === null)
    ? null
    : waits.reduce((latest, { until }) => (until !== null && until > latest ? until : latest), '')

/** Returns what the list says about users who must wait. */
export const useWaitTags = () => {
  const { waits } = useWaits()
  return ({ id }: ServiceUserDetail) => {
    const own = waits.filter(({ user }) => user === id)
    if (own.length === 0) return null
    const end = findEnd(own)
    return (
      <Tag kind="warning">
        {end === null ? t('signInBlocked') : t('waitsUntil', { time: formatSoon(end) })}
      </Tag>
    )
  }
}

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
