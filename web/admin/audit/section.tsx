import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { AuditEvent } from '../../../lib/client/generated/models.ts'
import type { ListAuditEventsQuery } from '../../../lib/client/generated/operations.ts'
import { Alert, Button, useAction } from '../../kit/button.tsx'
import { describeFailure } from '../../kit/describe-failure.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { saveFile } from '../../session-kit/copy-button.tsx'
import { eventFiles } from '../../session-kit/event-files.ts'
import { useList } from '../../session-kit/use-list.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { type Column, DataList } from '../kit/data-list.tsx'
import { NoResults } from '../kit/load-state.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { Facts } from '../kit/panel.tsx'
import { replaceQuery, toAddress, useRoute } from '../kit/route.ts'
import { SectionPage } from '../kit/section-page.tsx'
import { type AuditFilter, readFilter, toQuery } from './audit-filter.ts'
import { filterByCredential, loadCredentialName, nameCredential } from './credential-names.ts'
import { nameActor, namePerson } from './event-actor.ts'
import { EventChanges } from './event-changes.tsx'
import { EventObject, findObject, loadObjectName } from './event-object.tsx'
import { EventSentence, toSentenceCase } from './event-sentence.tsx'
import { describeEvent, nameEvent, Origin, Outcome } from './event-text.tsx'
import { Filters } from './filters.tsx'
import { Undo } from './undo.tsx'

const consoleText = messagesOf('console')
const t = messagesOf('audit')

export const Section = () => <AuditLog />

/** All audit events, with filters that are part of the address, details and an export. */
const AuditLog = () => {
  const { query } = useRoute()
  const key = query.toString()
  const filter = useMemo(() => readFilter(new URLSearchParams(key)), [key])
  // Pages of a list belong to one query, so a period like the last hour is computed once.
  const wanted = useMemo(() => toQuery(filter), [filter])
  const [shown, setShown] = useState<AuditEvent | undefined>()
  // A link in the details leads to other events.
  useEffect(() => setShown(undefined), [key])
  const list = useList(
    (page, options) => client.audit.listAuditEvents({ ...page, ...wanted }, options),
    key,
    {
      describePosition,
    },
  )
  const change = (changes: Partial<AuditFilter>): void => replaceQuery({ ...filter, ...changes })
  const columns: readonly Column<AuditEvent>[] = [
    {
      name: 'event',
      header: t('event'),
      cell: (event) => (
        <Button look="quiet" onClick={() => setShown(event)}>
          <EventSentence event={event} />
        </Button>
      ),
    },
    // The sentence names them.
    { name: 'user', header: t('user'), isHidden: true, cell: (event) => <People event={event} /> },
    { name: 'object', header: t('object'), isHidden: true, cell: (event) => <EventObject event={event} /> },
    { name: 'when', header: t('when'), cell: (event) => formatDateTime(event.created_at) },
    { name: 'where', header: t('where'), cell: (event) => <Origin event={event} /> },
    { name: 'outcome', header: t('outcome'), cell: (event) => <Outcome event={event} /> },
  ]
  return (
    <SectionPage heading={consoleText('auditLog')} actions={<Export key={key} query={wanted} />}>
      <Filters filter={filter} onChange={change} />
      <DataList
        label={consoleText('auditLog')}
        list={list}
        columnsName="audit"
        idOf={({ id }) => id}
        columns={columns}
        empty={query.size > 0 ? <NoResults /> : <p>{t('empty')}</p>}
      />
      {shown && (
        <EventDetails
          event={shown}
          onClose={() => setShown(undefined)}
          onUndone={() => {
            setShown(undefined)
            list.reload()
          }}
        />
      )}
    </SectionPage>
  )
}

/** Says how far a list was read. A cursor ends with its position, which begins with the time of an event. */
const describePosition = (cursor: string): string | undefined => {
  const position = cursor.slice(16).replaceAll('-', '+').replaceAll('_', '/')
  const time = /^[\w+/]+$/.test(position) ? /^20[\d-]+T[\d:.]+Z/.exec(atob(position))?.[0] : undefined
  return time && consoleText('searchedBack', { time: formatDateTime(time) })
}

/** The affected user, and who acted if that was someone else. */
const People = ({ event }: { readonly event: AuditEvent }) => {
  const { user, user_name: name, actor, actor_principal: principal } = event
  const by = actor !== user || principal !== undefined ? nameActor(event) : undefined
  return (
    <>
      <Person id={user} name={name} />
      {by !== undefined && <div class="note">{t('byPerson', { name: by })}</div>}
    </>
  )
}

/** A user with a link to them. Without an ID, the service itself acted or no one was signed in. */
const Person = ({ id, name }: { readonly id: number | null; readonly name: string | null }) =>
  id === null ? <>–</> : <a href={toAddress('users', [id])}>{toSentenceCase(namePerson(id, name) ?? '')}</a>

interface EventDetailsProps {
  readonly event: AuditEvent
  readonly onClose: () => void
  readonly onUndone: () => void
}

/** Everything that the service stored about an event. */
const EventDetails = ({ event, onClose, onUndone }: EventDetailsProps) => {
  const facts = [
    { label: t('event'), value: <EventKind event={event} /> },
    { label: t('when'), value: formatDateTime(event.created_at) },
    { label: t('outcome'), value: <Outcome event={event} /> },
    { label: t('by'), value: <Actor event={event} /> },
    { label: t('user'), value: describePerson(event) },
    { label: t('object'), value: findObject(event) && <EventObject event={event} /> },
    {
      label: t('organizationObject'),
      value: event.organization && <OrganizationOf id={event.organization} />,
    },
    { label: t('target'), value: event.target },
    { label: t('enteredName'), value: event.username_tried },
    { label: t('address'), value: event.ip },
    { label: t('browser'), value: event.user_agent },
    { label: t('credential'), value: event.credential && <Credential event={event} /> },
    { label: t('principal'), value: event.actor_principal },
    { label: t('request'), value: event.request_id },
  ].filter(({ value }) => value !== null && value !== undefined && value !== '' && value !== false)
  return (
    <Dialog heading={t('details', { event: describeEvent(event) })} onClose={onClose}>
      <p>
        <EventSentence event={event} />
      </p>
      <EventChanges event={event} />
      <Undo event={event} onDone={onUndone} />
      <Facts facts={facts} />
      <div class="row">
        <Button look="secondary" onClick={onClose}>
          {t('closeDetails')}
        </Button>
      </div>
    </Dialog>
  )
}

type Query = Parameters<typeof toAddress>[2]

/** Shows only the events that have the same. */
const Same = ({ query, children }: { readonly query: Query; readonly children: string }) => (
  <div>
    <a href={toAddress('audit-events', [], query)}>{children}</a>
  </div>
)

const EventKind = ({ event: { event } }: { readonly event: AuditEvent }) => (
  <>
    {event}
    <Same query={{ event }}>{t('onlyEvent', { name: nameEvent(event) })}</Same>
  </>
)

/** Who acted: a person with their number, a program, or the service. */
const Actor = ({ event }: { readonly event: AuditEvent }) => {
  const { actor, actor_name: name, ip } = event
  if (actor === null) return <>{toSentenceCase(nameActor(event) ?? t(ip ? 'someone' : 'theService'))}</>
  return (
    <>
      <Person id={actor} name={name} /> ({actor})
      <Same query={{ actor: String(actor) }}>{t('onlyBy', { name: namePerson(actor, name) ?? '' })}</Same>
    </>
  )
}

const describePerson = ({ user, user_name: name }: AuditEvent): ComponentChildren =>
  user !== null && (
    <>
      <Person id={user} name={name} /> ({user})
      <Same query={{ user: String(user) }}>{t('onlyUser', { id: namePerson(user, name) ?? '' })}</Same>
    </>
  )

const OrganizationOf = ({ id }: { readonly id: number }) => {
  const { value } = useLoaded(() => loadObjectName({ kind: 'organization', id }))
  const name = value ?? String(id)
  return (
    <>
      <a href={toAddress('organizations', [id])}>{name}</a>
      <Same query={{ organization: String(id) }}>{t('onlyObject', { name })}</Same>
    </>
  )
}

const Credential = ({ event }: { readonly event: AuditEvent }) => {
  const { value } = useLoaded(() => loadCredentialName(event))
  const name = value ?? nameCredential(event)
  return (
    <>
      {toSentenceCase(name)}
      <Same query={filterByCredential(event)}>{t('onlyCredential', { name })}</Same>
    </>
  )
}

/** With the columns of the export, in their order. */
const formats = eventFiles<AuditEvent>([
  'created_at',
  'event',
  'outcome',
  'count',
  'user',
  'user_name',
  'actor',
  'actor_name',
  'username_tried',
  'target',
  'changes',
  'ip',
  'user_agent',
  'credential',
  'credential_id',
  'actor_principal',
  'request_id',
  'id',
])

const pageSize = 500

/** Saves the events that match the filters as a file. It reads them page by page, so it can be stopped. */
const Export = ({ query }: { readonly query: ListAuditEventsQuery }) => {
  const [count, setCount] = useState(0)
  const [isStopped, setStopped] = useState(false)
  const abort = useRef<AbortController | undefined>(undefined)
  const save = useAction(async (name: keyof typeof formats) => {
    const { type, header, toLine } = formats[name]
    const lines = [header]
    const running = new AbortController()
    abort.current = running
    setStopped(false)
    setCount(0)
    for await (const event of client.audit.iterateAuditEvents({ ...query, limit: pageSize })) {
      if (running.signal.aborted) break
      lines.push(toLine(event))
      if (lines.length % pageSize === 0) setCount(lines.length - 1)
    }
    setCount(lines.length - 1)
    setStopped(running.signal.aborted)
    saveFile(`audit-events.${name}`, new Blob(lines, { type }))
    return undefined
  })
  const isFinished = !save.isRunning && abort.current !== undefined && !save.failure
  return (
    <section class="stack" aria-label={t('export')}>
      <div class="row">
        <Menu label={t('export')}>
          <MenuItem onClick={() => void save.run('csv')}>{t('exportCsv')}</MenuItem>
          <MenuItem onClick={() => void save.run('jsonl')}>{t('exportJson')}</MenuItem>
        </Menu>
        {save.isRunning && (
          <Button look="secondary" onClick={() => abort.current?.abort()}>
            {t('stop')}
          </Button>
        )}
      </div>
      <Alert kind="problem">{save.failure && describeFailure(save.failure)}</Alert>
      <Alert>
        {(save.isRunning || isFinished) && t(isStopped ? 'exportStopped' : 'exported', { count })}
      </Alert>
    </section>
  )
}
