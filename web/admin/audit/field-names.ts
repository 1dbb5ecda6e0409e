import type { AuditEvent, AuditEventChange } from '../../../lib/client/generated/models.ts'
import { formatDateTime } from '../../kit/format.ts'
import { messagesOf } from '../../kit/messages.ts'
import { client } from '../../session-kit/client.ts'
import { showValue } from '../../session-kit/event-changes.ts'
import { listRoles } from '../../session-kit/organization-roles.ts'
import { loadObjectName } from './event-object.tsx'

const apiTokens = messagesOf('apiTokens')
const apis = messagesOf('protectedApis')
const apps = messagesOf('apps')
const audit = messagesOf('audit')
const branding = messagesOf('branding')
const connections = messagesOf('connections')
const consoleText = messagesOf('console')
const groups = messagesOf('groups')
const oidc = messagesOf('oidcConnections')
const organizationAccess = messagesOf('organizationAccess')
const organizations = messagesOf('organizations')
const people = messagesOf('people')
const policies = messagesOf('policies')
const rules = messagesOf('connectionRules')
const saml = messagesOf('samlConnections')
const signUp = messagesOf('signUpRules')
const users = messagesOf('users')

type Labels = Readonly<Record<string, () => string>>

const toMap = (labels: Labels): ReadonlyMap<string, () => string> => new Map(Object.entries(labels))

/** The labels that the forms of the console give to fields of several things. */
const common: Labels = {
  attributes: () => consoleText('userAttributes'),
  groups: () => people('groups'),
  members: () => groups('members'),
  name: () => people('name'),
  permissions: () => people('permissions'),
  roles: () => organizations('roles'),
  user_template: () => connections('template'),
}

const ofUsers: Labels = {
  username: () => users('username'),
  full_name: () => users('fullName'),
  email: () => users('email'),
  language: () => people('language'),
  page_language: () => people('language'),
  default_page: () => people('startPage'),
  is_external: () => people('external'),
  is_enabled: () => users('mayUseAccount'),
  expiry: () => users('expiry'),
  allow_changing_password: () => users('mayChangePassword'),
  password_change_required: () => users('mustChangePassword'),
}

const ofConnections: Labels = {
  auto_create_users: () => connections('autoCreate'),
  auto_sync_groups: () => connections('syncGroups'),
  auto_create_groups: () => connections('createGroups'),
  allowed_groups: () => connections('groups'),
  disabled_in_client: () => connections('hidden'),
  required_for_domains: () => connections('requireSignIn'),
  exempt_users: () => connections('exemptUsers'),
  required_authn_contexts: () => rules('required'),
  multi_factor_authn_contexts: () => rules('multiFactor'),
  attribute_mapping: () => rules('heading'),
  username_from: () => rules('username'),
  email_from: () => rules('email'),
  full_name_from: () => rules('fullName'),
  groups_from: () => rules('groups'),
}

const ofSaml: Labels = {
  ...ofConnections,
  entity_id: () => saml('entityId'),
  sso_url: () => saml('ssoUrl'),
  slo_url: () => saml('sloUrl'),
  certificate: () => saml('certificate'),
  nameid_format: () => saml('nameIdFormat'),
  nameid_attribute: () => saml('nameIdAttribute'),
  metadata_url_source: () => saml('metadataAddress'),
}

/** The labels by the first word of the name of an event. */
const labels = new Map(
  Object.entries({
    user: ofUsers,
    users: ofUsers,
    user_template: ofUsers,
    password_policy: {
      min_length: () => policies('minLength'),
      min_entropy_bits: () => policies('minEntropy'),
      regex: () => policies('regex'),
      no_pwned: () => policies('noPwned'),
      rules: () => policies('groups'),
    },
    sign_in_policy: {
      second_factor_for_everybody: () => policies('forEverybody'),
      second_factor_for_permissions: () => policies('forPermissions'),
      second_factor_for_groups: () => policies('forGroups'),
      second_factor_grace_days: () => policies('graceDays'),
      password_only_min_length: () => policies('passwordOnly'),
      remembered_device_days: () => policies('rememberedDays'),
      passkeys_only: () => policies('passkeysOnly'),
      passkey_upgrades: () => policies('passkeyUpgrades'),
      allow_email_codes: () => policies('emailCodes'),
      account_deletion: () => policies('deletionRule'),
      account_deletion_grace_days: () => policies('deletionDays'),
    },
    sign_up_policy: {
      mode: () => signUp('mode'),
      domains: () => signUp('listedDomains'),
      refused_domains: () => signUp('refusedDomains'),
      approvers: () => signUp('approvers'),
      terms_version: () => signUp('termsVersion'),
      terms_url: () => signUp('termsUrl'),
    },
    agent_policy: { hosts: () => apis('agentHosts'), callback_hosts: () => apis('callbackHosts') },
    organization_policy: {
      creation: () => organizations('creation'),
      creations_max: () => organizations('creationsMax'),
      ending_grace_days: () => organizations('endingGraceDays'),
      company_sign_in: () => organizations('companySignIn'),
    },
    organization_roles: {
      permissions: () => organizations('rolePermissions'),
      given_by: () => organizations('roleGivenBy'),
    },
    organization: {
      slug: () => organizations('slug'),
      external_id: () => organizations('externalId'),
      member_limit: () => organizations('memberLimit'),
      proof: () => organizations('addressProof'),
      needs_proof: () => organizations('needsProof'),
      state: () => organizations('state'),
      required_connection: () => organizationAccess('requiredConnection'),
      requires_second_factor: () => organizationAccess('requiresSecondFactor'),
      sign_in_max_age: () => organizationAccess('signInMaxAge'),
    },
    oidc_client: {
      redirect_uris: () => apps('redirects'),
      post_logout_redirect_uris: () => apps('afterSignOut'),
      scopes: () => apps('scopes'),
      apis: () => apps('apis'),
      organizations: () => apps('organizations'),
      device_authorization: () => apps('forDevices'),
      requires_pkce: () => apps('requiresPkce'),
      requires_par: () => apps('requiresPar'),
      requires_dpop: () => apps('requiresDpop'),
      subject_source: () => apps('subjectSource'),
      backchannel_logout_uri: () => apps('backchannel'),
      access_token_lifetime: () => apps('accessLifetime'),
      id_token_lifetime: () => apps('idLifetime'),
      refresh_token_lifetime: () => apps('refreshLifetime'),
      refresh_token_idle_lifetime: () => apps('refreshIdleLifetime'),
      machine_permissions: () => apps('machinePermissions'),
      machine_groups: () => apps('machineGroups'),
      machine_organizations: () => apps('machineOrganizations'),
    },
    protected_api: {
      audience: () => apis('audience'),
      scopes: () => apis('scopes'),
      unregistered_clients: () => apis('unregisteredClients'),
    },
    branding: {
      product_name: () => branding('productName'),
      accent_color: () => branding('accentColor'),
      background_color: () => branding('backgroundColor'),
      corner_radius: () => branding('cornerRadius'),
      support_url: () => branding('supportUrl'),
      privacy_url: () => branding('privacyUrl'),
      terms_url: () => branding('termsUrl'),
      sender_name: () => branding('senderName'),
      reply_to: () => branding('replyTo'),
      texts: () => branding('texts'),
      logo: () => branding('logo'),
      dark_logo: () => branding('darkLogo'),
      icon: () => branding('icon'),
    },
    api_token: { scopes: () => apiTokens('scopes'), expiry: () => apiTokens('expires') },
    saml_provider: ofSaml,
    saml_setup: ofSaml,
    oidc_connection: {
      ...ofConnections,
      issuer: () => oidc('issuer'),
      client_id: () => oidc('clientId'),
      token_endpoint_auth_method: () => oidc('authMethod'),
      first_sign_in: () => oidc('firstSignIn'),
      hosted_domain: () => oidc('hostedDomain'),
      scopes: () => oidc('scopes'),
    },
    connection: ofConnections,
  } satisfies Readonly<Record<string, Labels>>).map(([area, of]) => [area, toMap(of)]),
)
const commonLabels = toMap(common)

/** The fields of things of a kind that have a label. The kind is the first word of the names of their events. */
export const listLabels = (area: string): readonly { readonly field: string; readonly label: string }[] =>
  [...(labels.get(area) ?? [])].map(([field, label]) => ({ field, label: label() }))

const areaOf = (event: string): string => event.slice(0, event.indexOf('.'))

const findLabel = (area: string, field: string): string | undefined =>
  (labels.get(area)?.get(field) ?? commonLabels.get(field))?.()

/** Names a field as the forms of the console do. A field that no form has keeps its name. */
const nameField = ({ event }: Pick<AuditEvent, 'event'>, field: string): string => {
  const area = areaOf(event)
  const known = findLabel(area, field)
  if (known !== undefined) return known
  const at = field.indexOf('.')
  if (at < 0) return field
  // The parts of a setting, or a setting of a role: `editor.permissions`.
  const [whole, part] = [field.slice(0, at), field.slice(at + 1)]
  return `${findLabel(area, whole) ?? whole}: ${findLabel(area, part) ?? part}`
}

/** All fields that have a label, for a choice. Several things can have a field of the same name. */
export const listFields = (): readonly { readonly field: string; readonly label: string }[] => {
  const found = new Map<string, Set<string>>()
  for (const of of [commonLabels, ...labels.values()])
    for (const [field, label] of of) found.set(field, (found.get(field) ?? new Set()).add(label()))
  return [...found]
    .map(([field, names]) => ({ field, label: [...names].slice(0, 2).join(' / ') }))
    .sort((a, b) => a.label.localeCompare(b.label))
}

/** The fields whose values are the IDs of other things. */
const kindsOfFields = new Map([
  ['groups', 'group'],
  ['second_factor_for_groups', 'group'],
  ['machine_groups', 'group'],
  ['user_template', 'userTemplate'],
  ['required_connection', 'connection'],
  ['machine_organizations', 'organization'],
  ['organization_id', 'organization'],
] as const)

type Value = AuditEventChange['from']

const nameObjects = async (changes: readonly AuditEventChange[]): Promise<ReadonlyMap<string, string>> => {
  const found = changes.flatMap(({ field, from, to }) => {
    const kind = kindsOfFields.get(field as never)
    return kind === undefined
      ? []
      : [from, to].flatMap((id) => (typeof id === 'number' ? [{ field, kind, id }] : []))
  })
  const names = await Promise.all(
    found.map(async ({ field, kind, id }) => [`${field} ${id}`, await loadObjectName({ kind, id })] as const),
  )
  return new Map(names)
}

let declaredRoles: ReturnType<typeof client.organizations.getOrganizationRoles> | undefined

const nameRoles = async (changes: readonly AuditEventChange[]): Promise<ReadonlyMap<string, string>> => {
  if (!changes.some(({ field }) => field === 'roles')) return new Map()
  declaredRoles ??= client.organizations.getOrganizationRoles()
  const roles = await declaredRoles.then(
    (found) => found.roles,
    () => {
      declaredRoles = undefined
      return []
    },
  )
  return new Map(listRoles(roles).map(({ key, name }) => [`roles ${key}`, name]))
}

/** What fields and values of an event are called. */
export interface FieldNames {
  readonly nameField: typeof nameField
  readonly showValue: (change: AuditEventChange, value: Value) => string
}

/** Reads the names of what an event names by ID or key. */
export const loadFieldNames = async ({ changes = [] }: AuditEvent): Promise<FieldNames> => {
  const [objects, roles] = await Promise.all([nameObjects(changes), nameRoles(changes)])
  return {
    nameField,
    showValue: ({ field }, value) => {
      if (typeof value === 'boolean') return audit(value ? 'yes' : 'no')
      const text = showValue(value)
      const known = objects.get(`${field} ${text}`) ?? roles.get(`${field} ${text}`)
      if (known !== undefined) return known
      return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? formatDateTime(text) : text
    },
  }
}
