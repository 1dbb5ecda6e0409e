import type * as z from 'zod/mini'
import { auditStep } from '../../accounts/events/write-event.ts'
import { toBody } from '../../kernel/contract/projection.ts'
import { buildScimAudience } from '../../kernel/settings/jwt-audiences.ts'
import type { Services } from '../../services.ts'
import { requireConnection } from '../connections/connection-context.ts'
import { createDomain, getRecordName, storeDomains } from '../connections/domains.ts'
import { readNewDomain } from '../connections/domains.use-cases.ts'
import {
  createOidcConnection,
  deleteOidcConnection,
  patchOidcConnection,
} from '../connections/oidc/connections.use-cases.ts'
import { getRedirectUri } from '../connections/oidc/identity-provider.ts'
import { oidcDefaults } from '../connections/oidc/provider-fields.ts'
import { type OidcConnection, oidcKind } from '../connections/oidc/records.ts'
import {
  type Connection,
  type ConnectionKind,
  readConnectionPages,
  readConnectionsOf,
} from '../connections/records.ts'
import { samlDefaults } from '../connections/saml/fields.ts'
import {
  createSamlProvider,
  deleteSamlProvider,
  patchSamlProvider,
} from '../connections/saml/providers.use-cases.ts'
import { findEntityIdOwner, type SamlConnection, samlKind } from '../connections/saml/records.ts'
import { getServiceUrls } from '../connections/saml/service-provider.ts'
import { readScimSettings, setConnectionScim } from '../scim/settings.use-cases.ts'
import { entries } from './document.models.ts'
import {
  asBody,
  type KindOfThing,
  listFields,
  type Outputs,
  type Runner,
  type Thing,
  type Values,
} from './kind.part.ts'

/** What connections of both kinds have in common. */
const describeConnections = <Record extends Connection>(
  kind: ConnectionKind<Record>,
  shape: Readonly<{ [name: string]: z.core.$ZodType }>,
  urlsOf: (services: Services, connection: Record) => Outputs,
) => {
  const { adopt: _, client_secret: __, domains: ___, scim: ____, ...shown } = shape
  const toThing = (services: Services, connection: Record): Thing => ({
    id: connection.id,
    name: connection.name,
    values: {
      ...toBody<{ [name: string]: unknown }>(shown, Object.fromEntries(Object.entries(connection))),
      domains: connection.domains.map(({ name }) => name),
      scim: readScimSettings(connection),
    },
    outputs: {
      ...urlsOf(services, connection),
      scim_base_url: buildScimAudience(services.config.publicUrl, connection.id),
      ...Object.fromEntries(
        connection.domains.map(({ name, txtValue }) => [`TXT ${getRecordName(name)}`, txtValue]),
      ),
    },
  })
  return {
    fields: [...listFields(shown), 'domains', 'scim'],
    rights: [
      'domains',
      'scim',
      'auto_create_users',
      'allowed_groups',
      'user_template',
      'multi_factor_authn_contexts',
    ],
    references: { user_template: 'user_template' } as const,
    read: async (services: Services, ids: readonly number[]) => {
      const found = await readConnectionsOf(services.table, kind, ids)
      return found.map((connection) => connection && toThing(services, connection))
    },
    // One that a customer sets up is not complete, and theirs. One of an organization would become one of the whole service.
    list: async function* (services: Services) {
      for await (const page of readConnectionPages(services.table, kind, 100))
        for (const connection of page)
          if (!connection.setup && connection.organization_id === null) yield toThing(services, connection)
    },
  }
}

/** Gives a connection these domains. Each new one has to be proven in the DNS. */
const setDomains = async (
  { services, context }: Runner,
  id: number,
  wanted: readonly string[],
): Promise<void> => {
  const provider = await requireConnection(services.table, id)
  const kept = provider.domains.filter(({ name }) => wanted.includes(name))
  const { public_provider } = provider
  let next: Pick<Connection, 'domains' | 'public_provider'> = { domains: kept, public_provider }
  const added: string[] = []
  for (const text of wanted) {
    if (provider.domains.some(({ name }) => name === text)) continue
    const name = await readNewDomain(next, text)
    added.push(name)
    next = { domains: [...next.domains, createDomain(name)], public_provider }
  }
  const removed = provider.domains.filter((one) => !kept.includes(one))
  if (added.length + removed.length === 0) return
  await storeDomains({ services, provider, context }, next.domains, [
    ...added.map((name) => auditStep(context, 'connection.domain_added', { target: `${id} ${name}` })),
    ...removed.map(({ name }) =>
      auditStep(context, 'connection.domain_removed', { target: `${id} ${name}` }),
    ),
  ])
}

/** Says what the directory of a connection may do. */
const setDirectory = async (runner: Runner, id: number, wanted: Values): Promise<void> => {
  const before = readScimSettings(await requireConnection(runner.services.table, id))
  const after = { ...before, ...wanted }
  if (JSON.stringify(after) !== JSON.stringify(before))
    await runner.run(setConnectionScim, { params: { id }, body: after })
}

/** Writes the fields of a connection, and then what has operations of its own: its domains and its directory. Returns its ID. */
const withParts = async (
  runner: Runner,
  { domains = [], scim = defaultScim, ...fields }: Values,
  write: (body: never) => Promise<number>,
): Promise<number> => {
  const id = await write(asBody(fields))
  await setDomains(runner, id, domains as readonly string[])
  await setDirectory(runner, id, scim as Values)
  return id
}

const defaultScim = readScimSettings({})

const findOidcConnection = async (
  { table }: Services,
  { issuer, client_id }: Values,
): Promise<number | undefined> => {
  for await (const page of readConnectionPages(table, oidcKind, 100)) {
    const found = page.find((one) => one.issuer === issuer && one.client_id === client_id)
    if (found) return found.id
  }
  return undefined
}

/** The fields that only files of SAML and OpenID Connect leave to people. */
const {
  exempt_users: _,
  organization_id: __,
  default_organization_roles: ___,
  sp_certificate: ____,
  ...newSaml
} = samlDefaults
const {
  exempt_users: _____,
  organization_id: ______,
  default_organization_roles: _______,
  ...ofOidc
} = oidcDefaults

export const connectionKinds: Readonly<Record<'saml_provider' | 'oidc_connection', KindOfThing>> = {
  saml_provider: {
    ...describeConnections<SamlConnection>(
      samlKind,
      entries.saml_provider.def.shape,
      ({ config }, { id }) => {
        const { assertion, metadata } = getServiceUrls(config.publicUrl, id)
        return { assertion_url: assertion, metadata_url: metadata }
      },
    ),
    identity: 'entity ID',
    defaults: { ...newSaml, domains: [], scim: defaultScim },
    find: ({ table }, { entity_id }) => findEntityIdOwner(table, String(entity_id)),
    create: async (runner, values) => ({
      id: await withParts(
        runner,
        values,
        async (body) => (await runner.run(createSamlProvider, { body })).body.id,
      ),
      outputs: {},
    }),
    update: (runner, id, values) =>
      withParts(
        runner,
        values,
        async (body) => (await runner.run(patchSamlProvider, { params: { id }, body })).body.id,
      ),
    remove: ({ run }, id) => run(deleteSamlProvider, { params: { id } }),
  },
  oidc_connection: {
    ...describeConnections<OidcConnection>(
      oidcKind,
      entries.oidc_connection.def.shape,
      ({ config }, { id }) => ({
        redirect_uri: getRedirectUri(config.publicUrl, id),
      }),
    ),
    identity: 'issuer and client ID',
    secret: 'client_secret',
    defaults: { ...ofOidc, domains: [], scim: defaultScim },
    find: findOidcConnection,
    create: async (runner, values) => ({
      id: await withParts(
        runner,
        values,
        async (body) => (await runner.run(createOidcConnection, { body })).body.id,
      ),
      outputs: {},
    }),
    update: (runner, id, values) =>
      withParts(
        runner,
        values,
        async (body) => (await runner.run(patchOidcConnection, { params: { id }, body })).body.id,
      ),
    remove: ({ run }, id) => run(deleteOidcConnection, { params: { id } }),
  },
}
