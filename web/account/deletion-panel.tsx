import { useState } from 'preact/hooks'
import type { AccountDeletion } from '../../lib/client/generated/models.ts'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { formatDate } from '../kit/format.ts'
import { messagesOf } from '../kit/messages.ts'
import { pageData } from '../kit/start-path.ts'
import { client } from '../session-kit/client.ts'
import { ConfirmDialog } from '../session-kit/confirm-dialog.tsx'
import { useConfirmedAction, useLoaded } from '../session-kit/use-loaded.ts'
import { useAccount } from './account-state.ts'

const t = messagesOf('account')

/** How users have their own account deleted, if the service lets them, or change their mind. */
export const DeletionPanel = () => {
  const { value, setValue } = useLoaded((options) => client.users.getOwnAccountDeletion(options))
  if (!value || pageData.user?.impersonatedBy) return null
  if (value.requested_at === null && value.mode === 'off') return null
  return (
    <section class="panel" aria-label={t('deletion')}>
      <h2>{t('deletion')}</h2>
      {value.requested_at === null ? (
        <RequestDeletion rule={value} onChange={setValue} />
      ) : (
        <PendingDeletion requestedAt={value.requested_at} dueAt={value.due_at} onChange={setValue} />
      )}
    </section>
  )
}

interface RequestProps {
  readonly rule: AccountDeletion
  readonly onChange: (value: AccountDeletion) => void
}

const RequestDeletion = ({ rule, onChange }: RequestProps) => {
  const { announce } = useAccount()
  const [isAsking, setAsking] = useState(false)
  const request = useConfirmedAction(async () => {
    announce('')
    const { mode, grace_days } = rule
    const { user } = pageData
    onChange(
      await client.users.requestAccountDeletion(user ? { shown: { user: user.id, mode, grace_days } } : {}),
    )
    return undefined
  })
  const isAsk = rule.mode === 'ask'
  const text = isAsk ? t('deletionAskText') : t('deletionGraceText', { days: rule.grace_days })
  const label = t(isAsk ? 'deletionAsk' : 'deletionAction')
  return (
    <>
      <p>{text}</p>
      <div class="row">
        <Button look="secondary" onClick={() => setAsking(true)}>
          {label}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          heading={t('deletion')}
          confirmLabel={label}
          action={request}
          messages={{ last_admin: t('deletionLastAdmin') }}
          onClose={() => setAsking(false)}
        >
          <p>{text}</p>
          <p>{t('deletionWarning')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface PendingProps {
  readonly requestedAt: string
  readonly dueAt: string | null
  readonly onChange: (value: AccountDeletion) => void
}

const PendingDeletion = ({ requestedAt, dueAt, onChange }: PendingProps) => {
  const { announce } = useAccount()
  const withdraw = useConfirmedAction(async () => {
    announce('')
    await client.users.withdrawAccountDeletion()
    onChange(await client.users.getOwnAccountDeletion())
    announce(t('deletionWithdrawn'))
    return undefined
  })
  return (
    <div class="alert information stack">
      <p>
        {dueAt === null
          ? t('deletionAsked', { date: formatDate(requestedAt) })
          : t('deletionPlanned', { date: formatDate(dueAt) })}
      </p>
      <Alert kind="problem">{withdraw.failure && describeFailure(withdraw.failure)}</Alert>
      <div class="row">
        <Button look="secondary" isRunning={withdraw.isRunning} onClick={withdraw.run}>
          {t('deletionWithdraw')}
        </Button>
      </div>
    </div>
  )
}
