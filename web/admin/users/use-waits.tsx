import { useEffect } from 'preact/hooks'
import type { RateLimitedSubject, ServiceUserDetail } from '../../../lib/client/generated/models.ts'
import { formatSoon } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { useCurrentUser } from '../kit/current-user.ts'
import { Tag } from '../kit/panel.tsx'

const t = messagesOf('users')

/** The limits that keep a person from signing in. */
const signInLimits = ['signInDelays', 'accountFailures', 'otpGuesses']

/** Reads who must wait to sign in, of all users or of one. It is read again when the first wait is over. */
export const useWaits = (user?: number) => {
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
export const findEnd = (waits: readonly RateLimitedSubject[]): string | null =>
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
