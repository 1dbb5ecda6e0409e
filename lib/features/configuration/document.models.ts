import * as z from 'zod/mini'
import { groupFields, ServiceGroupDetailUpdate } from '../../accounts/groups/groups.models.ts'
import { UserAttributes } from '../../accounts/users/attributes.models.ts'
import { ServiceUserDetailPartialUpdate } from '../../accounts/users/users.models.ts'
import { listReservedFrom } from '../../kernel/contract/field-rights.ts'
import { text } from '../../kernel/contract/fields.ts'
import type { ManagedKind, ThingKind } from '../../kernel/contract/managed-kinds.ts'
import { domainsPerProvider } from '../../kernel/limits/connection-limits.ts'
import { logoKinds } from '../../kernel/limits/limits.ts'
import type { LogoKind } from '../branding/brand.models.ts'
import { BrandingSettings, LogoUpload, ServiceBrandingSettings } from '../branding/models.ts'
import { OIDCConnectionCreate, oidcFields } from '../connections/oidc/models.ts'
import { SAMLProviderUpdate, samlFields } from '../connections/saml/models.ts'
import { UserTemplateUpdate } from '../directory/templates/templates.models.ts'
import { SignUpPolicy } from '../invitations/sign-up.models.ts'
import { OwnEmailTexts } from '../mail/own-texts/document.models.ts'
import { AgentPolicy } from '../oauth/agent-policy.models.ts'
import { chosenIdForm, chosenIdRule, OIDCClientUpdate } from '../oauth/clients.models.ts'
import { ProtectedAPIUpdate } from '../oauth/protected-apis.models.ts'
import { OrganizationRoles } from '../organizations/models.ts'
import { OrganizationPolicy } from '../organizations/policy.models.ts'
import { PasswordPolicy } from '../passwords/models.ts'
import { ScimSettings } from '../scim/models.ts'
import { SignInPolicy } from '../sign-in/models.ts'
import { localHooks } from './hooks.models.ts'
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

/** The names of the lists of settings, by the names of products, or by the owners of words. */
export const settingsLists = { product_branding: 'products', email_texts: 'email_texts' } as const

/** The names of all lists in a document: of things by their keys, and of settings. */
export const keyedLists = { ...thingLists, ...settingsLists } as const

/** The version of the form of documents. */
export const documentVersion = 1

/** What a document calls a thing. It never changes, and no other thing of the kind ever has it. A client has it as `client_id`. */
const key = z.string().check(z.regex(chosenIdForm, chosenIdRule))
const keys = z.array(key)

/** Whether the document takes over what the service has already. */
const adopt = z.optional(z.boolean())

const { permissions } = ServiceGroupDetailUpdate.def.shape
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
/** What the directory of a customer may do. Its tokens are made by people. */
const scim = z.optional(z.partial(ScimSettings))

const { content_type, data } = LogoUpload.def.shape
/** A file that the command replaces by its content, or the content. */
const image = z
  .strictObject({
    file: z.optional(text(1000)),
    content_type: z.optional(content_type),
    data: z.optional(data),
  })
  .check(
    z.refine(
      (given) =>
        given.file === undefined
          ? given.content_type !== undefined && given.data !== undefined
          : given.content_type === undefined && given.data === undefined,
      'must have a file, or content_type and data',
    ),
  )
export type ImageReference = z.output<typeof image>
const images = Object.fromEntries(logoKinds.map((kind) => [kind, z.optional(z.nullable(image))])) as Record<
  LogoKind,
  z.ZodMiniOptional<z.ZodMiniNullable<typeof image>>
>

/** The fields that no document has, for `z.omit`. */
const markReserved = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, true])) as Readonly<Record<Name, true>>

/** The entry of a thing or of settings: the fields of the operation that changes it, with keys instead of IDs. */
export const entries = {
  api: z.extend(ProtectedAPIUpdate, { adopt }),
  group: z.extend(
    z.omit(ServiceGroupDetailUpdate, markReserved(listReservedFrom(groupFields, 'configuration'))),
    { adopt },
  ),
  user_template: z.extend(UserTemplateUpdate, { groups: z.optional(keys), adopt }),
  // The key of a client is its `client_id`, in every stage.
  client: z.extend(z.omit(OIDCClientUpdate, { client_id: true }), {
    machine_groups: z.optional(keys),
    adopt,
  }),
  // Keys of the service are made here.
  saml_provider: z.extend(
    z.omit(SAMLProviderUpdate, markReserved(listReservedFrom(samlFields, 'configuration'))),
    { user_template: template, domains, scim, adopt },
  ),
  oidc_connection: z.extend(
    z.omit(OIDCConnectionCreate, markReserved(listReservedFrom(oidcFields, 'configuration'))),
    {
      client_secret: z.optional(secret),
      user_template: template,
      domains,
      scim,
      adopt,
    },
  ),
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
  organization_policy: z.extend(OrganizationPolicy, { adopt }),
  organization_roles: z.extend(OrganizationRoles, {
    roles: z.optional(OrganizationRoles.def.shape.roles),
    adopt,
  }),
  branding: z.extend(ServiceBrandingSettings, { ...images, adopt }),
  product_branding: z.extend(BrandingSettings, { ...images, adopt }),
  email_texts: z.extend(OwnEmailTexts, { adopt }),
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
  organization_policy: OrganizationPolicy,
  organization_roles: OrganizationRoles,
  branding: ServiceBrandingSettings,
  product_branding: BrandingSettings,
  email_texts: OwnEmailTexts,
} as const satisfies Record<ManagedKind, z.ZodMiniType>

const groupKeys = 'Keys of groups.'
const templateKey =
  'The key of the user template of people who sign in for the first time. Null or omitted for none.'
const domainsText =
  'The email domains whose users sign in here. Each counts once the DNS proves it: see the outputs.'

const scimText =
  'What the directory of the customer may send by SCIM 2.0. What is left out has its default: it is off. People make its tokens.'

const imageTexts = {
  logo: 'The logo: `file` with a path beside this file, or `content_type` and `data` in base64.',
  dark_logo: 'The logo of dark mode, in the same form. Null or omitted for the same logo.',
  icon: 'The icon in the tabs of browsers, in the same form.',
}

/** The texts of entries that differ from those of their models. */
export const entryDescriptions = docs && {
  group: 'A group with its permissions. Its members are no part of a file.',
  service_account: 'The account of a program, with an API token. Nobody can sign in to it.',
  branding: 'How pages and emails of the service look. What is left out has its default.',
  product_branding: 'How pages and emails of a product look. What is left out is as in the service.',
  email_texts:
    'Own words of the emails of the service or of a product. What is left out has the built-in words.',
}

/** The texts of fields that only entries have. */
export const entryTexts = docs && {
  all: { adopt: 'Whether to take over what the service has already, if no other file or stack manages it.' },
  user_template: { groups: groupKeys },
  client: { machine_groups: groupKeys },
  saml_provider: { user_template: templateKey, domains: domainsText, scim: scimText },
  oidc_connection: {
    user_template: templateKey,
    domains: domainsText,
    scim: scimText,
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
  branding: imageTexts,
  product_branding: imageTexts,
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
  organization_policy: z.optional(entries.organization_policy),
  organization_roles: z.optional(entries.organization_roles),
  branding: z.optional(entries.branding),
  products: z.optional(z.record(z.string(), entries.product_branding)),
  email_texts: z.optional(z.record(z.string(), entries.email_texts)),
  hooks: z.optional(localHooks),
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
    organization_policy: 'What organizations may do for themselves.',
    organization_roles: 'The roles that members of organizations can have.',
    branding: 'How pages and emails look.',
    products: 'How pages and emails of single products look, by their names in the setting `linkUrl`.',
    email_texts:
      'Own words of emails: of the service under `service`, and of a product under `product:` and its name in the setting `linkUrl`.',
    hooks:
      'Functions of products that local mode asks. Deployed services have them as an option of their stack, and ignore these.',
    seed: 'People, API tokens and access links for development. Deployed services ignore it.',
  },
  example: undefined,
}

export type ConfigurationDocument = z.output<z.ZodMiniObject<typeof documentShape>>
