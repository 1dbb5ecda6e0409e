import { useState } from 'preact/hooks'
import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { type Column, DataList } from '../kit/data-list.tsx'
import { NoResults } from '../kit/no-results.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { useList } from '../kit/use-list.ts'
import { EventDetails } from './event-details.tsx'
import { Export } from './export.tsx'
import { type AuditFilter, readFilter, toQuery } from './filter.ts'
import { listEvents, nameEvent } from './name-event.ts'
import { Outcome } from './outcome.tsx'

const t = messagesOf('audit')

/** All audit events, with filters that are part of the address, details and an export. */
export const AuditLog = () => {
  const { query } = useRoute()
  const filter = readFilter(query)
  const [shown, setShown] = useState<AuditEvent | undefined>()
  const list = useList(
    (page, options) => client.audit.listAuditEvents({ ...page, ...toQuery(filter) }, options),
    query.toString(),
  )
  const change = (changes: Partial<AuditFilter>): void => replaceQuery({ ...filter, ...changes })
  const columns: readonly Column<AuditEvent>[] = [
    {
      name: 'event',
      header: t('event'),
      cell: (event) => (
        <Button look="quiet" onClick={() => setShown(event)}>
          {nameEvent(event.event)}
        </Button>
      ),
    },
    {
      name: 'user',
      header: t('user'),
      cell: ({ user, user_name: name }) => <Person id={user} name={name} />,
    },
    { name: 'by', header: t('by'), cell: ({ actor, actor_name: name }) => <Person id={actor} name={name} /> },
    { name: 'when', header: t('when'), cell: (event) => formatDateTime(event.created_at) },
    { name: 'outcome', header: t('outcome'), cell: (event) => <Outcome event={event} /> },
  ]
  return (
    <SectionPage heading={t('heading')} intro={t('intro')}>
      <Filters filter={filter} onChange={change} />
      <DataList
        label={t('heading')}
        list={list}
        idOf={({ id }) => id}
        columns={columns}
        empty={query.size > 0 ? <NoResults /> : <p>{t('empty')}</p>}
      />
      <Export filter={filter} />
      {shown && <EventDetails event={shown} onClose={() => setShown(undefined)} />}
    </SectionPage>
  )
}

interface FiltersProps {
  readonly filter: AuditFilter
  readonly onChange: (changes: Partial<AuditFilter>) => void
}

const Filters = ({ filter, onChange }: FiltersProps) => (
  <div class="toolbar">
    <SelectField
      label={t('event')}
      value={filter.event}
      options={[
        { value: '', label: t('allEvents') },
        ...listEvents().map((name) => ({ value: name, label: nameEvent(name) })),
      ]}
      onChangeValue={(event) => onChange({ event })}
    />
    <TextField
      label={t('userId')}
      value={filter.user}
      inputMode="numeric"
      autocomplete="off"
      maxLength={10}
      onChangeValue={(user) => onChange({ user })}
    />
    <TextField
      label={t('from')}
      type="datetime-local"
      value={filter.since}
      onChangeValue={(since) => onChange({ since })}
    />
    <TextField
      label={t('to')}
      type="datetime-local"
      value={filter.until}
      onChangeValue={(until) => onChange({ until })}
    />
  </div>
)

/** A user with a link to them. Without an ID, the service itself acted or no one was signed in. */
const Person = ({ id, name }: { readonly id: number | null; readonly name: string | null }) =>
  id === null ? <>–</> : <a href={toAddress('users', [id])}>{name ?? t('deletedUser')}</a>
