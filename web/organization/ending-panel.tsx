import { useState } from 'preact/hooks'
import { Alert, Button } from '../kit/button.tsx'
import { describeFailure } from '../kit/describe-failure.ts'
import { formatDate } from '../kit/format.ts'
import { messagesOf } from '../kit/messages.ts'
import { useAnnounce } from '../session-kit/announce.ts'
import { client } from '../session-kit/client.ts'
import { ConfirmDialog } from '../session-kit/confirm-dialog.tsx'
import { useItemChange } from '../session-kit/items.tsx'
import { useConfirmedAction, useLoaded } from '../session-kit/use-loaded.ts'
import { useOrganization } from './organization-state.ts'

const t = messagesOf('organizationPage')
const shared = messagesOf('organization')

/** Has the organization deleted after the days of grace, or keeps it. */
export const EndingPanel = () => {
  const { organization, isOwn, reload } = useOrganization()
  const loaded = useLoaded((options) => client.organizations.getOrganizationPolicy(options))
  const [isAsking, setAsking] = useState(false)
  const graceDays = loaded.value?.ending_grace_days ?? null
  if (!isOwn) return null
  if (organization.ends_at !== null) return <KeepPanel endsAt={organization.ends_at} />
  if (graceDays === null) return null
  return (
    <section class="panel" aria-label={t('end')}>
      <p>{t('endText', { days: graceDays })}</p>
      <div class="row">
        <Button look="danger" onClick={() => setAsking(true)}>
          {t('end')}
        </Button>
      </div>
      {isAsking && <EndDialog graceDays={graceDays} onClose={() => setAsking(false)} onChange={reload} />}
    </section>
  )
}

interface EndDialogProps {
  readonly graceDays: number
  readonly onClose: () => void
  readonly onChange: () => Promise<void>
}

const EndDialog = ({ graceDays, ...dialog }: EndDialogProps) => {
  const { id, name } = useOrganization().organization
  const end = useItemChange(dialog, t('endDone'), () =>
    client.organizations.requestOrganizationEnding(id, {
      shown: { organization: id, name, grace_days: graceDays },
    }),
  )
  return (
    <ConfirmDialog
      heading={t('endHeading', { name })}
      confirmLabel={t('end')}
      action={end}
      onClose={dialog.onClose}
    >
      <p>{t('endText', { days: graceDays })}</p>
    </ConfirmDialog>
  )
}

const KeepPanel = ({ endsAt }: { readonly endsAt: string }) => {
  const { organization, reload } = useOrganization()
  const announce = useAnnounce()
  const keep = useConfirmedAction(async () => {
    announce('')
    await client.organizations.withdrawOrganizationEnding(organization.id)
    await reload()
    announce(t('kept'))
    return undefined
  })
  return (
    <section class="panel" aria-label={t('keep')}>
      <p>{shared('endsOn', { date: formatDate(endsAt) })}</p>
      <Alert kind="problem">{keep.failure && describeFailure(keep.failure)}</Alert>
      <div class="row">
        <Button isRunning={keep.isRunning} onClick={keep.run}>
          {t('keep')}
        </Button>
      </div>
    </section>
  )
}
