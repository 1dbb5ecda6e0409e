import { useEffect, useRef, useState } from 'preact/hooks'
import type { ManagedThing } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { useCurrentUser } from './current-user.ts'

const t = messagesOf('managed')

interface BannerProps {
  readonly thing: ManagedThing
  readonly onUnlock: (thing: ManagedThing) => void
}

/** Says who manages a thing and what that means, and lets administrators unlock it in an emergency. */
export const Banner = ({ thing, onUnlock }: BannerProps) => {
  const { kind, key, owner, unlocked_by: unlockedBy, unlocked_at: unlockedAt } = thing
  const [isAsking, setAsking] = useState(false)
  const { can } = useCurrentUser()
  const isLocked = unlockedBy === null
  const element = useRef<HTMLElement>(null)
  const wasLocked = useRef(isLocked)
  useEffect(() => {
    if (isLocked || isAsking) return
    // The button that had the focus is no longer there.
    if (wasLocked.current) element.current?.focus()
    wasLocked.current = false
  }, [isLocked, isAsking])
  return (
    <section
      ref={element}
      class={isLocked ? 'managed alert information' : 'managed alert warning'}
      aria-label={t('heading')}
      tabIndex={-1}
    >
      <p>
        <strong>{t('managedBy', { owner, key })}</strong>{' '}
        {unlockedBy !== null && unlockedAt !== null ? (
          <UnlockedBy id={unlockedBy} time={formatDateTime(unlockedAt)} />
        ) : (
          t('readOnly')
        )}{' '}
        <a href="/docs/guides/as-code">{t('asCode')}</a>
      </p>
      {isLocked && can('system:admin-access') && (
        <div class="row">
          <Button look="secondary" onClick={() => setAsking(true)}>
            {t('unlock')}
          </Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          heading={t('unlock')}
          action={t('unlock')}
          look="primary"
          onConfirm={async () => {
            onUnlock(await client.configuration.unlockManaged(kind, key))
            return undefined
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('unlockText', { owner })}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

/** Says which administrator unlocked it, who may no longer exist. */
const UnlockedBy = ({ id, time }: { readonly id: number; readonly time: string }) => {
  const { value: user, failure } = useLoaded((options) => client.users.getUser(id, {}, options))
  if (!user && !failure) return null
  return t('unlocked', { name: user?.full_name || user?.username || String(id), time })
}
