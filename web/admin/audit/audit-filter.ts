import type { ListAuditEventsQuery } from '../../../lib/client/generated/operations.ts'
import type { AuditEventName } from '../../../lib/kernel/contract/audit-events.ts'
import { credentialKinds } from './credential-names.ts'
import { listEvents } from './event-text.tsx'

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
  /** The kind and ID of an object, such as `group:12`, and its name. */
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

export const groupNames = ['signIns', 'accounts', 'people', 'access', 'service'] as const
type Group = (typeof groupNames)[number]

/** The group that each event belongs to, by the first word of its name. */
const groupsByArea: ReadonlyMap<string, Group> = new Map(
  Object.entries({
    login: 'signIns',
    logout: 'signIns',
    session: 'signIns',
    hook: 'signIns',
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
    scim: 'service',
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

/** The events of the chosen groups, or else all. */
export const listChosenEvents = (groups: string): readonly string[] => {
  const chosen = groups.split(',')
  const found = listEvents().filter((event) => chosen.includes(groupsByArea.get(areaOf(event)) ?? ''))
  return found.length > 0 ? found : listEvents()
}

/** Returns the filters as the API takes them. Times depend on the moment, and cursors on the times: call it once for a list. */
export const toQuery = (filter: AuditFilter): ListAuditEventsQuery => {
  const { event, groups, user, actor, credential_id: credentialId, organization, field } = filter
  const { outcome, find, object } = filter
  const credential = credentialKinds.find((kind) => kind === filter.credential)
  const [kind = '', id] = object.split(':')
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

/** The filters, and what a person changes of them. */
export interface FiltersProps {
  readonly filter: AuditFilter
  readonly onChange: (changes: Partial<AuditFilter>) => void
}
