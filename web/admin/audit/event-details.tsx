import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { Facts } from '../kit/panel.tsx'
import { nameEvent } from './name-event.ts'
import { Outcome } from './outcome.tsx'

const t = messagesOf('audit')

interface EventDetailsProps {
  readonly event: AuditEvent
  readonly onClose: () => void
}

/** Everything that the service stored about an event. */
export const EventDetails = ({ event, onClose }: EventDetailsProps) => {
  const facts = [
    { label: t('event'), value: event.event },
    { label: t('when'), value: formatDateTime(event.created_at) },
    { label: t('outcome'), value: <Outcome event={event} /> },
    { label: t('user'), value: describePerson(event.user, event.user_name) },
    { label: t('by'), value: describePerson(event.actor, event.actor_name) },
    { label: t('target'), value: event.target },
    { label: t('enteredName'), value: event.username_tried },
    { label: t('address'), value: event.ip },
    { label: t('browser'), value: event.user_agent },
    { label: t('credential'), value: event.credential },
    { label: t('request'), value: event.request_id },
  ].filter(({ value }) => value !== null && value !== undefined && value !== '')
  return (
    <Dialog heading={t('details', { event: nameEvent(event.event) })} onClose={onClose}>
      <Facts facts={facts} />
      <Button look="secondary" onClick={onClose}>
        {t('closeDetails')}
      </Button>
    </Dialog>
  )
}

const describePerson = (id: number | null, name: string | null): string | null =>
  id === null ? null : `${name ?? t('deletedUser')} (${id})`
