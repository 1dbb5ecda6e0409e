import { useState } from 'preact/hooks'
import type { ListAuditEventsQuery } from '../../../lib/client/generated/operations.ts'
import type { AuditEventName } from '../../../lib/kernel/contract/audit-events.ts'
import { SelectField, TextField } from '../../kit/field.tsx'
import { loadChunk } from '../../kit/load-chunk.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { FilterChips, SearchField, ToggleChips } from '../kit/filters.tsx'
import { UserPicker } from '../people/user-picker.tsx'
import { credentialKinds, loadCredentialName, nameCredential } from './credential-names.ts'
import { loadObjectName } from './event-object.tsx'
import { listEvents, nameEvent } from './event-text.tsx'
import { importLabel } from './import-field-names.ts'

const t = messagesOf('audit')

/** The filters as the address of the page has them. Empty texts select everything. */
export interface AuditFilter {
  readonly event: string
  /** The chosen groups of events, separated by commas. */
  readonly groups: string
  /** The ID of the user whom events are about, and of the one who acted. */
  readonly user: string
  readonly actor: string
  /** The kind of credential, and the ID of one of the actor. */
  readonly credential: string
  readonly credential_id: string
  /** The ID of an organization. */
  readonly organization: string
  /** The name of a changed field. */
  readonly field: string
  readonly period: string
  /** Local times of the browser, such as `2026-11-21T08:30`, for the own period. */
  readonly since: string
  readonly until: string
  /** `failed` for what was refused or failed. */
  readonly outcome: string
  /** An IP address or the ID of a request. */
  readonly find: string
  /** The kind and ID of an object, such as `group:12`, and its name. `by-api-token:3:7` is what token 3 of user 7 did. */
  readonly object: string
  readonly name: string
}

export const readFilter = (query: URLSearchParams): AuditFilter => ({
  event: query.get('event') ?? '',
  groups: query.get('groups') ?? '',
  user: readId(query.get('user')),
  actor: readId(query.get('actor')),
  credential: credentialKinds.find((kind) => kind === query.get('credential')) ?? '',
  credential_id: readId(query.get('credential_id')),
  organization: readId(query.get('organization')),
  field: query.get('field') ?? '',
  period: query.get('period') ?? '',
  since: readTime(query.get('since')),
  until: readTime(query.get('until')),
  outcome: query.get('outcome') ?? '',
  find: query.get('find') ?? '',
  object: query.get('object') ?? '',
  name: query.get('name') ?? '',
})

const readId = (text: string | null): string => (/^\d{1,10}$/.test(text ?? '') ? (text ?? '') : '')

const readTime = (text: string | null): string =>
  text !== null && !Number.isNaN(Date.parse(text)) ? text : ''

/** The first word of the names of events. */
type Area = AuditEventName extends infer Name
  ? Name extends `${infer First}.${string}`
    ? First
    : never
  : never

const groupNames = ['signIns', 'accounts', 'people', 'access', 'service'] as const
type Group = (typeof groupNames)[number]

/** The group that each event belongs to, by the first word of its name. */
const groupsByArea: ReadonlyMap<string, Group> = new Map(
  Object.entries({
    login: 'signIns',
    logout: 'signIns',
    session: 'signIns',
    email_code: 'signIns',
    saml_logout: 'signIns',
    password: 'accounts',
    email: 'accounts',
    totp: 'accounts',
    remembered_device: 'accounts',
    passkey: 'accounts',
    security: 'accounts',
    company_account: 'accounts',
    user: 'people',
    users: 'people',
    group: 'people',
    user_attributes: 'people',
    user_template: 'people',
    invitation: 'people',
    admin_access: 'people',
    impersonation: 'people',
    access: 'access',
    access_token: 'access',
    api_token: 'access',
    ticket: 'access',
    credential: 'access',
    branding: 'service',
    mail: 'service',
    managed: 'service',
    oidc_client: 'service',
    password_policy: 'service',
    protected_api: 'service',
    rate_limit: 'service',
    connection: 'service',
    oidc_connection: 'service',
    saml_provider: 'service',
    saml_setup: 'service',
    sign_in_policy: 'service',
    sign_up: 'accounts',
    sign_up_policy: 'service',
    agent_policy: 'service',
    organization: 'accounts',
    organization_policy: 'service',
    organization_roles: 'service',
    signing_key: 'service',
  } satisfies Record<Area, Group>),
)

/** The first words of the events that name an object of a kind as their target. */
const areasByKind: ReadonlyMap<string, readonly Area[]> = new Map([
  ['group', ['group']],
  ['app', ['oidc_client']],
  ['api', ['protected_api']],
  ['oidc-connection', ['oidc_connection', 'connection']],
  ['saml-provider', ['saml_provider', 'connection']],
  ['access-link', ['access_token']],
])

const areaOf = (event: string): string => event.slice(0, event.indexOf('.'))

const listChosenEvents = (groups: string): readonly string[] => {
  const chosen = groups.split(',')
  const found = listEvents().filter((event) => chosen.includes(groupsByArea.get(areaOf(event)) ?? ''))
  return found.length > 0 ? found : listEvents()
}

/** Returns the filters as the API takes them. Times depend on the moment, and cursors on the times: call it once for a list. */
export const toQuery = (filter: AuditFilter): ListAuditEventsQuery => {
  const { event, groups, user, actor, credential_id: credentialId, organization, field } = filter
  const { outcome, find, object } = filter
  const credential = credentialKinds.find((kind) => kind === filter.credential)
  const [kind = '', id, owner] = object.split(':')
  const areas: readonly string[] = areasByKind.get(kind) ?? []
  const isAddress = /^[\da-f.:]*[.:][\da-f.:]*$/i.test(find)
  return {
    ...(groups ? { event: listChosenEvents(groups).join(',') } : {}),
    ...(areas.length > 0 && id
      ? {
          event: listEvents()
            .filter((name) => areas.includes(areaOf(name)))
            .join(','),
          target: id,
        }
      : {}),
    ...(kind === 'organization' && id ? { organization: Number(id) } : {}),
    ...(kind === 'by-api-token' && id && owner
      ? { credential: 'api_token' as const, credential_id: Number(id), actor: Number(owner) }
      : {}),
    ...(event ? { event } : {}),
    ...(user ? { user: Number(user) } : {}),
    ...(actor ? { actor: Number(actor) } : {}),
    ...(credential ? { credential } : {}),
    ...(credentialId ? { credential_id: Number(credentialId) } : {}),
    ...(organization ? { organization: Number(organization) } : {}),
    ...(field ? { field } : {}),
    ...(outcome === 'failed' ? { failed: true } : {}),
    ...(find ? (isAddress ? { ip: find } : { request_id: find }) : {}),
    ...toTimes(filter),
  }
}

const hourMs = 3_600_000

const toTimes = ({ period, since, until }: AuditFilter): Pick<ListAuditEventsQuery, 'since' | 'until'> => {
  const now = new Date()
  const startOfDay = (daysAgo: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).toISOString()
  const before = (hours: number) => new Date(now.getTime() - hours * hourMs).toISOString()
  switch (period) {
    case 'lastHour':
      return { since: before(1) }
    case 'today':
      return { since: startOfDay(0) }
    case 'yesterday':
      return { since: startOfDay(1), until: startOfDay(0) }
    case 'lastWeek':
      return { since: before(7 * 24) }
    case 'lastMonth':
      return { since: before(30 * 24) }
    default:
      return {
        ...(since ? { since: new Date(since).toISOString() } : {}),
        ...(until ? { until: new Date(until).toISOString() } : {}),
      }
  }
}

const periods = ['lastHour', 'today', 'yesterday', 'lastWeek', 'lastMonth', 'ownPeriod'] as const

export interface FiltersProps {
  readonly filter: AuditFilter
  readonly onChange: (changes: Partial<AuditFilter>) => void
}

export const Filters = ({ filter, onChange }: FiltersProps) => (
  <div class="filters">
    <div class="toolbar">
      <FilterChips
        label={t('period')}
        value={filter.period || (filter.since || filter.until ? 'ownPeriod' : '')}
        options={periods.map((value) => ({ value, label: t(value) }))}
        onChoose={(period) => onChange({ period, since: '', until: '' })}
      />
      <MoreFilters filter={filter} onChange={onChange} />
    </div>
    {(filter.period === 'ownPeriod' || filter.since || filter.until) && (
      <div class="toolbar">
        <TextField
          label={t('from')}
          type="datetime-local"
          value={filter.since}
          onChangeValue={(since) => onChange({ since, period: 'ownPeriod' })}
        />
        <TextField
          label={t('to')}
          type="datetime-local"
          value={filter.until}
          onChangeValue={(until) => onChange({ until, period: 'ownPeriod' })}
        />
      </div>
    )}
    <div class="row">
      <ToggleChips
        label={t('kinds')}
        values={filter.groups.split(',')}
        options={groupNames.map((value) => ({ value, label: t(value) }))}
        onChoose={(values) => onChange({ groups: values.filter(Boolean).join(','), event: '' })}
      />
      <ToggleChips
        label={t('outcome')}
        values={[filter.outcome]}
        options={[{ value: 'failed', label: t('onlyFailed') }]}
        onChoose={(values) => onChange({ outcome: values.includes('failed') ? 'failed' : '' })}
      />
    </div>
    <div class="toolbar">
      <SelectField
        label={t('event')}
        value={filter.event}
        options={[
          { value: '', label: t('allEvents') },
          ...listChosenEvents(filter.groups).map((name) => ({ value: name, label: nameEvent(name) })),
        ]}
        onChangeValue={(event) => onChange({ event })}
      />
      <SearchField label={t('find')} value={filter.find} onSearch={(find) => onChange({ find })} />
      {!filter.user && (
        <UserPicker
          label={t('findPerson')}
          action={t('showEvents')}
          onPick={({ id }) => onChange({ user: String(id) })}
        />
      )}
    </div>
    <ChosenFilters filter={filter} onChange={onChange} />
  </div>
)

const MoreFilterFields = loadChunk(async () => (await import('./more-filters.tsx')).MoreFilterFields)

/** Their script and their choices are loaded when they are opened. */
const MoreFilters = (props: FiltersProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('moreFilters')}</summary>
      {isOpen && <MoreFilterFields {...props} />}
    </details>
  )
}

/** The filters that no field above shows, each with a button that takes it off. */
const ChosenFilters = ({ filter, onChange }: FiltersProps) => {
  const { user, actor, credential, credential_id: credentialId, organization, field, object, name } = filter
  if (![user, actor, credential, organization, field, object].some(Boolean)) return null
  const takesOff = (changes: Partial<AuditFilter>) => () => onChange(changes)
  return (
    <div class="chips">
      {user && (
        <ChosenPerson
          key={`user ${user}`}
          id={Number(user)}
          text="onlyUser"
          onRemove={takesOff({ user: '' })}
        />
      )}
      {actor && (
        <ChosenPerson
          key={`actor ${actor}`}
          id={Number(actor)}
          text="onlyBy"
          onRemove={takesOff({ actor: '' })}
        />
      )}
      {credential && (
        <ChosenCredential
          key={`${credential} ${credentialId} ${actor}`}
          filter={filter}
          onRemove={takesOff({ credential: '', credential_id: '' })}
        />
      )}
      {organization && (
        <ChosenOrganization
          key={organization}
          id={Number(organization)}
          onRemove={takesOff({ organization: '' })}
        />
      )}
      {field && <ChosenField key={field} field={field} onRemove={takesOff({ field: '' })} />}
      {object && (
        <Chosen
          text={t('onlyObject', { name: name || object })}
          onRemove={takesOff({ object: '', name: '' })}
        />
      )}
    </div>
  )
}

interface ChosenPersonProps {
  readonly id: number
  readonly text: 'onlyUser' | 'onlyBy'
  readonly onRemove: () => void
}

/** A deleted user has a number only. */
const ChosenPerson = ({ id, text, onRemove }: ChosenPersonProps) => {
  const { value } = useLoaded((options) => client.users.getUser(id, {}, options))
  const name = value?.display_name ?? String(id)
  return <Chosen text={t(text, { id: name, name })} onRemove={onRemove} />
}

interface ChosenCredentialProps {
  readonly filter: AuditFilter
  readonly onRemove: () => void
}

const ChosenCredential = ({ filter, onRemove }: ChosenCredentialProps) => {
  const { value: name } = useLoaded(() => loadCredentialName(filter))
  return <Chosen text={t('onlyCredential', { name: name ?? nameCredential(filter) })} onRemove={onRemove} />
}

const ChosenOrganization = ({ id, onRemove }: { readonly id: number; readonly onRemove: () => void }) => {
  const { value: name } = useLoaded(() => loadObjectName({ kind: 'organization', id }))
  return <Chosen text={t('onlyObject', { name: name ?? String(id) })} onRemove={onRemove} />
}

const ChosenField = ({ field, onRemove }: { readonly field: string; readonly onRemove: () => void }) => {
  const { value: label } = useLoaded(() => importLabel(field))
  return <Chosen text={t('onlyField', { name: label ?? field })} onRemove={onRemove} />
}

const Chosen = ({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) => (
  <button type="button" class="chip" aria-pressed="true" onClick={onRemove}>
    {text} <span aria-hidden="true">×</span>
    <span class="for-screen-readers">{t('remove')}</span>
  </button>
)
