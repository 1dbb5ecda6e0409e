import * as z from 'zod/mini'
import type { ManagedKind, ThingKind } from '../../kernel/contract/managed-kinds.ts'
import { domainsPerProvider } from '../../kernel/limits/connection-limits.ts'
import { ServiceBrandingSettings } from '../branding/models.ts'
import { OIDCConnectionCreate } from '../connections/oidc/models.ts'
import { SAMLProviderUpdate } from '../connections/saml/models.ts'
import { UserAttributes } from '../directory/attributes.models.ts'
import { ServiceGroupDetailUpdate } from '../directory/groups.models.ts'
import { UserTemplateUpdate } from '../directory/templates.models.ts'
import { ServiceUserDetailPartialUpdate } from '../directory/users.models.ts'
import { SignUpPolicy } from '../invitations/sign-up.models.ts'
import { AgentPolicy } from '../oauth/agent-policy.models.ts'
import { chosenIdForm, chosenIdRule, OIDCClientUpdate } from '../oauth/clients.models.ts'
import { ProtectedAPIUpdate } from '../oauth/protected-apis.models.ts'
import { PasswordPolicy } from '../passwords/models.ts'
import { SignInPolicy } from '../sign-in/models.ts'
import { seed } from './seed.models.ts'

/** The names of the things in a document. */
export const thingLists = {
  api: 'apis',
  group: 'groups',
  user_template: 'user_templates',
  client: 'clients',
  saml_provider: 'saml_providers',
  oidc_connection: 'oidc_connections',
  service_account: 'service_accounts',
} as const satisfies Record<ThingKind, string>

/** The version of the form of documents. */
export const documentVersion = 1

/** What a document calls a thing. It never changes, and no other thing of the kind ever has it. A client has it as `client_id`. */
const key = z.string().check(z.regex(chosenIdForm, chosenIdRule))
const keys = z.array(key)

/** Whether the document takes over what the service has already. */
const adopt = z.optional(z.boolean())

const { name, permissions } = ServiceGroupDetailUpdate.def.shape
const { full_name } = ServiceUserDetailPartialUpdate.def.shape
const tokenScopes = z.array(z.string().check(z.minLength(1), z.maxLength(255))).check(z.maxLength(100))

/** The name of an environment variable that has a secret, because files have none. With a new version, the secret is sent again. */
const secret = z.strictObject({
  env: z.string().check(z.regex(/^[A-Z][A-Z0-9_]{0,99}$/, 'must be the name of an environment variable')),
  version: z.optional(z.int()),
})
export type SecretReference = z.output<typeof secret>

/** The email domains of a connection. Each counts once the DNS proves it: a file never vouches for one. */
const domains = z.optional(z.array(z.string().check(z.maxLength(255))).check(z.maxLength(domainsPerProvider)))
const template = z.optional(z.nullable(key))

/** The entry of a thing or of settings: the fields of the operation that changes it, with keys instead of IDs. */
export const entries = {
  api: z.extend(ProtectedAPIUpdate, { adopt }),
  group: z.strictObject({ name, permissions, adopt }),
  user_template: z.extend(UserTemplateUpdate, { groups: z.optional(keys), adopt }),
  // The key of a client is its `client_id`, in every stage.
  client: z.extend(z.omit(OIDCClientUpdate, { client_id: true }), {
    machine_groups: z.optional(keys),
    adopt,
  }),
  // Keys of the service are made here, and people who are exempt are no configuration.
  saml_provider: z.extend(
    z.omit(SAMLProviderUpdate, { sp_certificate: true, sp_certificate_key: true, exempt_users: true }),
    { user_template: template, domains, adopt },
  ),
  oidc_connection: z.extend(z.omit(OIDCConnectionCreate, { exempt_users: true }), {
    client_secret: z.optional(secret),
    user_template: template,
    domains,
    adopt,
  }),
  service_account: z.strictObject({
    name: z.optional(full_name),
    permissions: z.optional(permissions),
    groups: z.optional(keys),
    scopes: tokenScopes,
  }),
  user_attributes: z.extend(UserAttributes, {
    /** The attributes that may lose their values with their definition. */
    delete_values: z.optional(z.array(z.string())),
    adopt,
  }),
  password_policy: z.extend(PasswordPolicy, { adopt }),
  sign_in_policy: z.extend(SignInPolicy, { second_factor_for_groups: z.optional(keys), adopt }),
  sign_up_policy: z.extend(SignUpPolicy, { user_template: template, adopt }),
  agent_policy: z.extend(AgentPolicy, { adopt }),
  branding: z.extend(ServiceBrandingSettings, { adopt }),
} as const satisfies Record<ManagedKind, z.ZodMiniType>

/** The models that entries have fields of, for their texts. */
export const entryModels = {
  api: ProtectedAPIUpdate,
  group: ServiceGroupDetailUpdate,
  user_template: UserTemplateUpdate,
  client: OIDCClientUpdate,
  saml_provider: SAMLProviderUpdate,
  oidc_connection: OIDCConnectionCreate,
  service_account: ServiceUserDetailPartialUpdate,
  user_attributes: UserAttributes,
  password_policy: PasswordPolicy,
  sign_in_policy: SignInPolicy,
  sign_up_policy: SignUpPolicy,
  agent_policy: AgentPolicy,
  branding: ServiceBrandingSettings,
} as const satisfies Record<ManagedKind, z.ZodMiniType>

const groupKeys = 'Keys of groups.'
const templateKey =
  'The key of the user template of people who sign in for the first time. Null or omitted for none.'
const domainsText =
  'The email domains whose users sign in here. Each counts once the DNS proves it: see the outputs.'

/** The texts of entries that differ from those of their models. */
export const entryDescriptions = docs && {
  group: 'A group with its permissions. Its members are no part of a file.',
  service_account: 'The account of a program, with an API token. Nobody can sign in to it.',
}

/** The texts of fields that only entries have. */
export const entryTexts = docs && {
  all: { adopt: 'Whether to take over what the service has already, if no other file or stack manages it.' },
  user_template: { groups: groupKeys },
  client: { machine_groups: groupKeys },
  saml_provider: { user_template: templateKey, domains: domainsText },
  oidc_connection: {
    user_template: templateKey,
    domains: domainsText,
    client_secret:
      'The name of the environment variable that has the secret. To send a new secret, add or increase `version`.',
  },
  service_account: {
    name: 'The name for people. Null or omitted for none. The key is the username.',
    permissions: 'The permissions of the account. It cannot be an administrator.',
    groups: 'Keys of groups, without those that have `system:admin-access` or `users:manage`.',
    scopes: 'The operations and permissions that its token is limited to.',
  },
  user_attributes: {
    delete_values: 'The attributes that may lose the values of all users with their definition.',
  },
  sign_in_policy: { second_factor_for_groups: groupKeys },
  sign_up_policy: {
    user_template: 'The key of the user template of new accounts. Null or omitted for none.',
  },
}

const things = <Entry extends z.ZodMiniType>(entry: Entry) => z.optional(z.record(z.string(), entry))

/**
 * All that one owner wants a service to have. What it leaves out stays as it is, and a field that an entry leaves out has its
 * default.
 */
export const documentShape = {
  schema_version: z.literal(documentVersion),
  owner: key,
  apis: things(entries.api),
  groups: things(entries.group),
  user_templates: things(entries.user_template),
  clients: things(entries.client),
  saml_providers: things(entries.saml_provider),
  oidc_connections: things(entries.oidc_connection),
  service_accounts: things(entries.service_account),
  user_attributes: z.optional(entries.user_attributes),
  password_policy: z.optional(entries.password_policy),
  sign_in_policy: z.optional(entries.sign_in_policy),
  sign_up_policy: z.optional(entries.sign_up_policy),
  agent_policy: z.optional(entries.agent_policy),
  branding: z.optional(entries.branding),
  seed: z.optional(seed),
}

/** The texts of a whole document. */
export const documentTexts = docs && {
  description: 'What one owner wants a service to have. What a file leaves out stays as it is.',
  fields: {
    schema_version: 'The version of this form.',
    owner:
      'Who manages what the file has: the name of a product, for example. No file of another owner can change it.',
    apis: 'Protected APIs, by keys.',
    groups: 'Groups, by keys.',
    user_templates: 'User templates, by keys.',
    clients: 'OpenID Connect clients. The key of a client is its `client_id`.',
    saml_providers: 'Company sign-in by SAML, by keys.',
    oidc_connections: 'Company sign-in by OpenID Connect, by keys.',
    service_accounts: 'Accounts of programs, by keys, which are their usernames.',
    user_attributes: 'The attributes of users that the service defines.',
    password_policy: 'What passwords must meet.',
    sign_in_policy: 'How users sign in.',
    sign_up_policy: 'Who may create an account.',
    agent_policy: 'Which agents may come that no administrator registered.',
    branding: 'How pages and emails look.',
    seed: 'People, API tokens and access links for development. Deployed services ignore it.',
  },
  example: undefined,
}

export type ConfigurationDocument = z.output<z.ZodMiniObject<typeof documentShape>>
