import type * as z from 'zod/mini'
import { adminAccess } from '../../accounts/callers/permissions.ts'
import type { Principal } from '../../accounts/callers/principal.ts'
import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { groupKind } from '../../accounts/groups/groups.records.ts'
import { normalizeUsername } from '../../accounts/names/names.ts'
import { buildUser } from '../../accounts/users/new-user.ts'
import type { RequestFacts } from '../../http/use-case.ts'
import type { ManagedKind, SettingsKind, ThingKind } from '../../kernel/contract/managed-kinds.ts'
import { toBody } from '../../kernel/contract/projection.ts'
import { readByIds } from '../../kernel/table/records.ts'
import { readNamePage } from '../../kernel/table/search-names.ts'
import {
  findIdByName,
  type UniqueNameKind,
  type UniqueNameRecord,
} from '../../kernel/table/unique-name-records.ts'
import type { Services } from '../../services.ts'
import { getUserAttributes, updateUserAttributes } from '../directory/attributes/attributes.use-cases.ts'
import { newGroup } from '../directory/field-names.models.prebuilt.ts'
import { deleteGroup } from '../directory/groups/delete-group.use-cases.ts'
import { createGroup } from '../directory/groups/groups.use-cases.ts'
import { patchGroup } from '../directory/groups/update-group.use-cases.ts'
import { userTemplateKind } from '../directory/templates/templates.records.ts'
import { newTemplate } from '../directory/templates/templates.ts'
import {
  createUserTemplate,
  deleteUserTemplate,
  patchUserTemplate,
} from '../directory/templates/templates.use-cases.ts'
import { getSignUpPolicy, updateSignUpPolicy } from '../invitations/sign-up-policy.use-cases.ts'
import { defaultSignUpPolicy } from '../invitations/sign-up-rules.ts'
import { getAgentPolicy, updateAgentPolicy } from '../oauth/agent-policy.use-cases.ts'
import { createProtectedApi, deleteProtectedApi, patchProtectedApi } from '../oauth/apis.use-cases.ts'
import { newClient } from '../oauth/clients.models.ts'
import { type ClientRecord, clientKind } from '../oauth/clients.records.ts'
import { createOidcClient, deleteOidcClient, patchOidcClient } from '../oauth/clients.use-cases.ts'
import { newProtectedApi } from '../oauth/protected-apis.models.ts'
import { protectedApiKind } from '../oauth/protected-apis.records.ts'
import { defaultOrganizationPolicy } from '../organizations/policy.records.ts'
import { getOrganizationPolicy, updateOrganizationPolicy } from '../organizations/policy.use-cases.ts'
import { getOrganizationRoles, updateOrganizationRoles } from '../organizations/roles.use-cases.ts'
import { defaultPolicy, toPolicyBody } from '../passwords/policy.ts'
import { getPasswordPolicy, updatePasswordPolicy } from '../passwords/use-cases.ts'
import { defaultSignInPolicy, firstSignInPolicy } from '../sign-in/policy.records.ts'
import { getSignInPolicy, updateSignInPolicy } from '../sign-in/policy.use-cases.ts'
import { brandingKinds } from './branding-kinds.part.ts'
import { connectionKinds } from './connection-kinds.part.ts'
import { entries } from './document.models.ts'
import { emailTextKind } from './email-text-kind.part.ts'
import {
  asBody,
  type Created,
  type KindOfSettings,
  type KindOfThing,
  listFields,
  type Outputs,
  type Runner,
  type Thing,
  type Values,
} from './kind.part.ts'
import { serviceAccountKind } from './service-account-kind.part.ts'
import type { Weaker } from './weaker.ts'

export const createRunner = (
  services: Services,
  context: RequestContext,
  principal: Principal = configurationPrincipal,
): Runner => ({
  services,
  context,
  runAs: (user) => createRunner(services, context, user).run,
  run: (useCase, input) => {
    const facts: RequestFacts & { readonly principal: Principal } = {
      context,
      principal,
      target: { path: '', rawQuery: '' },
      isFromOwnOrigin: true,
      isFromOwnPage: false,
      origin: 'unknown',
      usesCookie: false,
      authorizationHeader: undefined,
      dpopHeader: undefined,
      cookies: [],
      acceptsHtml: false,
    }
    return useCase({ ...facts, params: {}, query: {}, body: undefined, ...input } as never, services)
  },
})

/** Nobody who is signed in: a document may do what an administrator may. */
const configurationPrincipal: Principal = {
  kind: 'configuration',
  hash: '',
  user: {
    ...buildUser({ username: 'configuration', permissions: [adminAccess] }),
    ...{ id: 0, version: 0, credentialEpoch: 0, createdAt: 0, lastSeenAt: null, knownAddresses: {} },
  },
}

const { adopt: _adopt, delete_values: _deleteValues, ...attributeShape } = entries.user_attributes.def.shape

/** What every kind of records with unique names has in common. */
const describeThings = <Named extends UniqueNameRecord>(
  stored: UniqueNameKind<Named>,
  shape: Readonly<Record<string, z.core.$ZodType>>,
  {
    isListed = () => true,
    outputsOf = () => ({}),
  }: {
    readonly isListed?: (record: Named) => boolean
    readonly outputsOf?: (record: Named) => Outputs
  } = {},
) => {
  const fields = listFields(shape)
  const { adopt: _, ...shown } = shape
  const toThing = (record: Named): Thing => ({
    id: record.id,
    name: record.name,
    values: toBody<Record<string, unknown>>(shown, Object.fromEntries(Object.entries(record))),
    outputs: outputsOf(record),
  })
  return {
    fields,
    read: async ({ table }: Services, ids: readonly number[]) =>
      (await readByIds(table, stored, ids)).map((record) => record && toThing(record)),
    identity: 'name',
    find: ({ table }: Services, { name }: Values) =>
      findIdByName(table, stored.name, normalizeUsername(String(name))),
    list: async function* ({ table }: Services) {
      let after: string | undefined
      do {
        const page = await readNamePage(table, stored, undefined, {
          order: 'id',
          page: { after, skip: 0, limit: 100, isDescending: false },
        })
        for (const { row } of page.rows) if (isListed(row)) yield toThing(row)
        after = page.next?.after
      } while (after !== undefined)
    },
  }
}

const withoutOutputs = ({ body: { id } }: { readonly body: { readonly id: number } }): Created => ({
  id,
  outputs: {},
})

export const things: Readonly<Record<ThingKind, KindOfThing>> = {
  api: {
    ...describeThings(protectedApiKind, entries.api.def.shape),
    fixed: ['audience'],
    defaults: newProtectedApi,
    references: {},
    rights: ['scopes', 'permissions', 'unregistered_clients'],
    create: async ({ run }, values) =>
      withoutOutputs(await run(createProtectedApi, { body: asBody(values) })),
    update: ({ run }, id, values) => run(patchProtectedApi, { params: { id }, body: asBody(values) }),
    remove: ({ run }, id) => run(deleteProtectedApi, { params: { id } }),
  },
  group: {
    ...describeThings(groupKind, entries.group.def.shape),
    defaults: newGroup,
    references: {},
    rights: ['permissions'],
    create: async ({ run }, values) => withoutOutputs(await run(createGroup, { body: asBody(values) })),
    update: ({ run }, id, values) => run(patchGroup, { params: { id }, body: asBody(values) }),
    remove: ({ run }, id) => run(deleteGroup, { params: { id } }),
  },
  user_template: {
    ...describeThings(userTemplateKind, entries.user_template.def.shape),
    defaults: newTemplate,
    references: { groups: 'group' },
    rights: ['permissions', 'groups'],
    create: async ({ run }, values) =>
      withoutOutputs(await run(createUserTemplate, { body: asBody(values) })),
    update: ({ run }, id, values) => run(patchUserTemplate, { params: { id }, body: asBody(values) }),
    remove: ({ run }, id) => run(deleteUserTemplate, { params: { id } }),
  },
  client: {
    ...describeThings<ClientRecord>(clientKind, entries.client.def.shape, {
      // A client that describes itself is nobody's configuration.
      isListed: ({ document }) => !document,
      outputsOf: ({ clientId }) => ({ client_id: clientId }),
    }),
    fixed: ['type'],
    defaults: newClient,
    references: { machine_groups: 'group' },
    alsoNames: { apis: 'api' },
    rights: ['redirect_uris', 'scopes', 'apis', 'permissions', 'machine_permissions', 'machine_groups'],
    create: async ({ run }, values, key) => {
      const { body } = await run(createOidcClient, { body: asBody({ ...values, client_id: key }) })
      const { id, client_id, client_secret } = body
      return { id, outputs: { client_id, ...(client_secret !== null && { client_secret }) } }
    },
    update: ({ run }, id, values) => run(patchOidcClient, { params: { id }, body: asBody(values) }),
    remove: ({ run }, id) => run(deleteOidcClient, { params: { id } }),
  },
  ...connectionKinds,
  service_account: serviceAccountKind,
}

type Policy = Exclude<SettingsKind, 'user_attributes' | 'email_texts' | keyof typeof brandingKinds>

/** Which change of each field makes a policy weaker. A field without an answer does not compile. */
type WeakerFields<Kind extends Policy> = Readonly<
  Record<Exclude<keyof z.output<(typeof entries)[Kind]>, 'adopt'>, Weaker>
>

const describeSettings = <Kind extends Policy>(
  kind: Kind,
  weaker: WeakerFields<Kind>,
): Pick<KindOfSettings, 'fields' | 'weaker'> => ({ fields: listFields(entries[kind].def.shape), weaker })

export const settings: Readonly<Record<SettingsKind, KindOfSettings>> = {
  user_attributes: {
    fields: listFields(attributeShape),
    defaults: { attributes: [], claims: [] },
    references: {},
    // Claims name APIs as well, which the kind of clients does, too.
    alsoNames: { claims: 'client' },
    // No rights follow from what users write themselves. APIs may derive some from claims.
    weaker: { attributes: 'never', claims: 'more' },
    initial: [{ attributes: [], claims: [] }],
    read: async ({ run }) => (await run(getUserAttributes, {})).body,
    update: ({ run }, values) => run(updateUserAttributes, { body: asBody(values) }),
  },
  password_policy: {
    ...describeSettings('password_policy', {
      rules: 'fewer',
      min_length: 'lower',
      min_entropy_bits: 'lower',
      regex: 'changed',
      no_pwned: 'off',
    }),
    defaults: toPolicyBody(defaultPolicy),
    references: {},
    initial: [toPolicyBody(defaultPolicy)],
    read: async ({ run }) => (await run(getPasswordPolicy, {})).body,
    update: ({ run }, values) => run(updatePasswordPolicy, { body: asBody(values) }),
  },
  sign_in_policy: {
    ...describeSettings('sign_in_policy', {
      second_factor_for_everybody: 'off',
      second_factor_for_permissions: 'fewer',
      second_factor_for_groups: 'fewer',
      second_factor_grace_days: 'higher',
      passkeys_only: 'off',
      passkey_upgrades: 'off',
      password_only_min_length: 'lower',
      allow_email_codes: 'on',
      remembered_device_days: 'higher',
      account_deletion: ['off', 'ask', 'after_grace'],
      account_deletion_grace_days: 'lower',
    }),
    defaults: { ...firstSignInPolicy },
    references: { second_factor_for_groups: 'group' },
    initial: [defaultSignInPolicy, firstSignInPolicy].map((policy): Values => ({ ...policy })),
    read: async ({ run }) => (await run(getSignInPolicy, {})).body,
    update: ({ run }, values) => run(updateSignInPolicy, { body: asBody(values) }),
  },
  sign_up_policy: {
    ...describeSettings('sign_up_policy', {
      mode: ['off', 'approval', 'domains', 'open'],
      domains: 'more',
      refused_domains: 'fewer',
      approvers: 'changed',
      user_template: 'changed',
      terms_version: 'never',
      terms_url: 'never',
    }),
    defaults: { ...defaultSignUpPolicy },
    references: { user_template: 'user_template' },
    initial: [{ ...defaultSignUpPolicy }],
    read: async ({ run }) => (await run(getSignUpPolicy, {})).body,
    update: ({ run }, values) => run(updateSignUpPolicy, { body: asBody(values) }),
  },
  agent_policy: {
    ...describeSettings('agent_policy', { hosts: 'more', callback_hosts: 'more' }),
    defaults: { hosts: [], callback_hosts: [] },
    references: {},
    initial: [{ hosts: [], callback_hosts: [] }],
    read: async ({ run }) => (await run(getAgentPolicy, {})).body,
    update: ({ run }, values) => run(updateAgentPolicy, { body: asBody(values) }),
  },
  organization_policy: {
    ...describeSettings('organization_policy', {
      creation: ['administrators', 'everybody'],
      creations_max: 'higher',
      ending_grace_days: 'on',
      company_sign_in: ['never', 'ask', 'always'],
    }),
    defaults: { ...defaultOrganizationPolicy },
    references: {},
    initial: [{ ...defaultOrganizationPolicy }],
    read: async ({ run }) => (await run(getOrganizationPolicy, {})).body,
    update: ({ run }, values) => run(updateOrganizationPolicy, { body: asBody(values) }),
  },
  organization_roles: {
    ...describeSettings('organization_roles', { roles: 'more' }),
    defaults: { roles: [] },
    references: {},
    initial: [{ roles: [] }],
    read: async ({ run }) => (await run(getOrganizationRoles, {})).body,
    update: ({ run }, values) => run(updateOrganizationRoles, { body: asBody(values) }),
  },
  ...brandingKinds,
  email_texts: emailTextKind,
}

export const isThing = (kind: ManagedKind): kind is ThingKind => Object.hasOwn(things, kind)
