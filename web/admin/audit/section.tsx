import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import { Button } from '../../kit/button.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { listNames, messagesOf } from '../../kit/messages.ts'
import type { Catalogues } from '../../messages/catalogues.ts'
import { client } from '../../session-kit/client.ts'
import { type Column, DataList, useList } from '../kit/data-list.tsx'
import { NoResults } from '../kit/load-state.tsx'
import { Facts, Tag } from '../kit/panel.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { type AuditFilter, Export, readFilter, toQuery } from './export.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('audit')
const events = messagesOf('events')

export const Section = () => <AuditLog />

/** All audit events, with filters that are part of the address, details and an export. */
const AuditLog = () => {
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
    <SectionPage heading={consoleText('auditLog')} intro={t('intro')}>
      <Filters filter={filter} onChange={change} />
      <DataList
        label={consoleText('auditLog')}
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

interface EventDetailsProps {
  readonly event: AuditEvent
  readonly onClose: () => void
}

/** Everything that the service stored about an event. */
const EventDetails = ({ event, onClose }: EventDetailsProps) => {
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

/** Reasons are codes like `invalid_credentials`, which narrow screens break between their words. */
const breakAfterUnderscores = (text: string): ComponentChildren =>
  text.split(/(?<=_)/).flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]))

/** Whether an event worked, and how often it happened if the event stands for several. */
const Outcome = ({ event: { outcome, count } }: { readonly event: AuditEvent }) => (
  <>
    {outcome === 'succeeded' ? (
      <Tag kind="good">{t('succeeded')}</Tag>
    ) : (
      <Tag kind="warning">{breakAfterUnderscores(t('failed', { reason: outcome }))}</Tag>
    )}
    {count !== undefined && count > 1 && <> {t('times', { count })}</>}
  </>
)

/** Names an event. A newer service can have events that this page does not know. */
const nameEvent = (event: string): string => (isKnown(event) ? events(event) : event)

/** The names of all audit events as the API has them, in the order of their areas. */
const listEvents = (): readonly string[] => listNames('events')

const isKnown = (event: string): event is keyof Catalogues['events'] => listEvents().includes(event)
