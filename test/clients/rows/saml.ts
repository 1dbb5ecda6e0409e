import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { plainMetadata } from '../../support/saml-metadata.ts'
import { type Answered, type Arrange, type Call, once, type Row, type Trial, type World } from '../row.ts'
import { statusOf } from './people.ts'

const path = '/api/2/auth/saml'

/** A provider with a given key pair, because generating one is slow. */
const newProvider = ({ certificate: { pem, keyPem } }: World): Record<string, unknown> => ({
  entity_id: `urn:idp:${randomUUID()}`,
  sso_url: 'https://idp.example.com/sso',
  certificate: pem,
  sp_certificate: pem,
  sp_certificate_key: keyPem,
})

const addProvider = async (world: World): Promise<Call> => {
  const { bearer } = world.admin
  const { body } = await world.service.client('POST', path, { bearer, body: newProvider(world) })
  return { bearer, path: { id: body.id }, context: body }
}

/** People who sign in have no credential yet. */
const withoutBearer: Arrange = async (world) => {
  const { bearer: _, ...call } = await addProvider(world)
  return call
}

const serveMetadata = async (world: World, call: Call): Promise<Call> => {
  const { entity_id: entityId = `urn:idp:${randomUUID()}` } = call.context ?? {}
  world.metadata.serve(plainMetadata({ entityId, certificates: [world.certificate] }))
  return { ...call, body: { url: world.metadata.url }, context: { entityId } }
}

const stored = (field: string, value: unknown): Trial => ({
  value,
  expect: ({ call, body }) => expect(body[field]).toEqual(call.body?.[field]),
})

/** Sent by forms with an empty field. */
const emptyKeyPair: Trial = {
  value: '',
  along: { sp_certificate_key: '' },
  only: 'python',
  alone: true,
  expect: ({ body }) => expect(body.sp_certificate).toBeNull(),
}

const pythonField = (field: string, value: unknown): Trial => ({ ...stored(field, value), only: 'python' })

const fields: Readonly<Record<string, Trial>> = {
  name: stored('name', 'Größe & Co.'),
  slo_url: stored('slo_url', 'https://idp.example.com/slo'),
  disabled_in_client: pythonField('disabled_in_client', true),
  nameid_format: pythonField('nameid_format', 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'),
  auto_create_users: pythonField('auto_create_users', true),
  auto_create_groups: pythonField('auto_create_groups', true),
  auto_sync_groups: pythonField('auto_sync_groups', true),
  user_template: {
    ...pythonField('user_template', ({ context }: Call) => context.template),
    alone: true,
  },
}

/** Prepares a user template for the call. */
const withTemplate =
  (arrange: Arrange): Arrange =>
  async (world) => {
    const { bearer } = world.admin
    const { body } = await world.service.client('POST', '/api/2/user-templates', {
      bearer,
      body: { name: randomUUID() },
    })
    return { ...(await arrange(world)), context: { template: body.id } }
  }

const fieldsOf = (arrange: Arrange): Readonly<Record<string, Trial>> => ({
  ...fields,
  user_template: { ...(fields['user_template'] as Trial), arrange: withTemplate(arrange) },
})

const create: Arrange = (world) => ({ bearer: world.admin.bearer, body: newProvider(world) })
const replace: Arrange = async (world) => ({ ...(await addProvider(world)), body: newProvider(world) })
const patch: Arrange = async (world) => ({ ...(await addProvider(world)), body: {} })

const expectSent = ({ call, body }: Answered): void =>
  expect(body).toMatchObject({ ...call.body, sp_certificate_key: '********' })

const expectCount =
  (count: number) =>
  ({ body }: Answered): void =>
    expect(body).toHaveLength(count)

export const samlRows: readonly Row[] = [
  {
    npm: 'AuthApi.getAllSAMLProviders',
    python: 'AuthApi.get_all_saml_providers',
    returns: 'SAMLProvider[]',
    arrange: once(async (world) => {
      const { path: _, ...call } = await addProvider(world)
      return call
    }),
    expect: ({ call, body }) => expect(body.at(-1).id).toBe(call.context.id),
    optional: {
      ordering: { value: '-id', expect: ({ call, body }) => expect(body[0].id).toBe(call.context.id) },
      limit: { value: 1, expect: expectCount(1) },
      offset: { value: 10_000, expect: expectCount(0) },
    },
  },
  {
    npm: 'AuthApi.createSAMLProvider',
    python: 'AuthApi.create_saml_provider',
    required: ['entity_id', 'sso_url', 'certificate', 'sp_certificate', 'sp_certificate_key'],
    returns: 'SAMLProvider',
    status: 201,
    arrange: create,
    expect: expectSent,
    optional: { ...fieldsOf(create), sp_certificate: emptyKeyPair },
  },
  {
    npm: 'AuthApi.getSAMLProvider',
    python: 'AuthApi.get_saml_provider',
    required: ['id'],
    returns: 'SAMLProvider',
    arrange: addProvider,
    expect: ({ call, body }) => expect(body.entity_id).toBe(call.context.entity_id),
  },
  {
    npm: 'AuthApi.updateSAMLProvider',
    python: 'AuthApi.update_saml_provider',
    required: ['id', 'entity_id', 'sso_url', 'certificate', 'sp_certificate', 'sp_certificate_key'],
    returns: 'SAMLProvider',
    arrange: replace,
    expect: expectSent,
    optional: fieldsOf(replace),
  },
  {
    npm: 'AuthApi.patchSAMLProvider',
    python: 'AuthApi.patch_saml_provider',
    required: ['id'],
    returns: 'SAMLProvider',
    arrange: patch,
    expect: ({ call, body }) => expect(body.entity_id).toBe(call.context.entity_id),
    optional: {
      ...fieldsOf(patch),
      entity_id: stored('entity_id', () => `urn:idp:${randomUUID()}`),
      sso_url: stored('sso_url', 'https://idp.example.com/other'),
      certificate: stored('certificate', ({ context }: Call) => context.certificate),
      sp_certificate: stored('sp_certificate', ({ context }: Call) => context.sp_certificate),
      sp_certificate_key: stored('sp_certificate_key', '********'),
    },
  },
  {
    npm: 'AuthApi.deleteSAMLProvider',
    python: 'AuthApi.delete_saml_provider',
    required: ['id'],
    returns: null,
    arrange: addProvider,
    expect: async ({ world, call }) =>
      expect(await statusOf(world, 'GET', `${path}/${call.context.id}`)).toBe(404),
  },
  {
    npm: 'AuthApi.parseSAMLIDPMetadata',
    python: 'AuthApi.parse_samlidp_metadata',
    required: ['url'],
    returns: 'ParsedSAMLIDPMetadata',
    arrange: (world) => serveMetadata(world, { bearer: world.admin.bearer }),
    expect: ({ call, body }) => expect(body.entity_id).toBe(call.context.entityId),
  },
  {
    npm: 'AuthApi.refreshSAMLIDPMetadata',
    python: 'AuthApi.refresh_samlidp_metadata',
    required: ['id', 'url'],
    returns: 'ParsedSAMLIDPMetadata',
    arrange: async (world) => serveMetadata(world, await addProvider(world)),
    expect: ({ call, body }) => expect(body.entity_id).toBe(call.context.entityId),
  },
  {
    npm: 'AuthApi.getSAMLServiceProviderMetadata',
    python: 'AuthApi.get_saml_service_provider_metadata',
    required: ['id'],
    returns: 'ignored',
    arrange: withoutBearer,
  },
  // These are pages of a sign-in. A client that calls them gets the redirect or the error that a browser would get.
  {
    npm: 'AuthApi.startSAMLAuth',
    python: 'AuthApi.start_saml_auth',
    required: ['id'],
    returns: 'ignored',
    status: 303,
    arrange: withoutBearer,
  },
  {
    npm: 'AuthApi.receiveSAMLAuthAssertion',
    python: 'AuthApi.receive_saml_auth_assertion',
    required: ['id'],
    returns: 'ignored',
    status: 400,
    arrange: withoutBearer,
  },
  {
    npm: 'AuthApi.returnFromSAMLAuth',
    python: 'AuthApi.return_from_saml_auth',
    required: ['id'],
    returns: 'ignored',
    status: 303,
    arrange: withoutBearer,
  },
  {
    npm: 'AuthApi.startSAMLLogout',
    python: 'AuthApi.start_saml_logout',
    required: ['id'],
    returns: 'ignored',
    status: 303,
    arrange: withoutBearer,
  },
  {
    npm: 'AuthApi.returnFromSAMLLogout',
    python: 'AuthApi.return_from_saml_logout',
    required: ['id'],
    returns: 'ignored',
    status: 400,
    arrange: withoutBearer,
  },
]
