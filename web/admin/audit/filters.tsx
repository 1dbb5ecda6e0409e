import type { ListAuditEventsQuery } from '../../../lib/client/generated/operations.ts'
import type { AuditEventName } from '../../../lib/kernel/contract/audit-events.ts'
import { Button } from '../../kit/button.tsx'
import { SelectField, TextField } from '../../kit/field.tsx'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { useLoaded } from '../../session-kit/use-loaded.ts'
import { FilterChips, SearchField, ToggleChips } from '../kit/filters.tsx'
import { UserPicker } from '../people/user-picker.tsx'
import { listEvents, nameEvent } from './event-text.tsx'

const t = messagesOf('audit')

/** The filters as the address of the page has them. Empty texts select everything. */
export interface AuditFilter {
  readonly event: string
  /** The chosen groups of events, separated by commas. */
  readonly groups: string
  /** The ID of a user. */
  readonly user: string
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
  user: /^\d{1,10}$/.test(query.get('user') ?? '') ? (query.get('user') ?? '') : '',
  period: query.get('period') ?? '',
  since: readTime(query.get('since')),
  until: readTime(query.get('until')),
  outcome: query.get('outcome') ?? '',
  find: query.get('find') ?? '',
  object: query.get('object') ?? '',
  name: query.get('name') ?? '',
})

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
  const { event, groups, user, outcome, find, object } = filter
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

interface FiltersProps {
  readonly filter: AuditFilter
  readonly onChange: (changes: Partial<AuditFilter>) => void
}

export const Filters = ({ filter, onChange }: FiltersProps) => (
  <div class="filters">
    <FilterChips
      label={t('period')}
      value={filter.period || (filter.since || filter.until ? 'ownPeriod' : '')}
      options={periods.map((value) => ({ value, label: t(value) }))}
      onChoose={(period) => onChange({ period, since: '', until: '' })}
    />
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
    {filter.user && (
      <ChosenPerson key={filter.user} id={Number(filter.user)} onRemove={() => onChange({ user: '' })} />
    )}
    {filter.object && (
      <Chosen
        text={t('onlyObject', { name: filter.name || filter.object })}
        action={t('allObjects')}
        onRemove={() => onChange({ object: '', name: '' })}
      />
    )}
  </div>
)

/** The person whose events are shown. A deleted user has a number only. */
const ChosenPerson = ({ id, onRemove }: { readonly id: number; readonly onRemove: () => void }) => {
  const { value } = useLoaded((options) => client.users.getUser(id, {}, options))
  return (
    <Chosen
      text={t('onlyUser', { id: value?.display_name ?? String(id) })}
      action={t('everyone')}
      onRemove={onRemove}
    />
  )
}

interface ChosenProps {
  readonly text: string
  readonly action: string
  readonly onRemove: () => void
}

const Chosen = ({ text, action, onRemove }: ChosenProps) => (
  <div class="row">
    <strong>{text}</strong>
    <Button look="secondary" onClick={onRemove}>
      {action}
    </Button>
  </div>
)
