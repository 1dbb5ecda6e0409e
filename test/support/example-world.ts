import {
  exampleBundle,
  exampleDirectory,
  exampleLogo,
  examplePassword,
} from '../../lib/accounts/example-values.models.ts'
import { type CountedKind, counterKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Item } from '../../lib/kernel/table/transaction.ts'
import { makeIdp } from './idp.ts'
import { type MetadataServer, startMetadataServer } from './metadata-server.ts'
import { addConnection, startUpstream, type TestConnection, type TestUpstream } from './oidc-upstream.ts'
import { SoftwarePasskey } from './passkeys.ts'
import { addPerson, type SignedInPerson, signIn } from './people.ts'
import { addProvider, type TestProvider } from './saml.ts'
import { plainMetadata } from './saml-metadata.ts'
import type { TestService } from './service.ts'
import { readItems } from './table-copies.ts'

/** The service in the state that the examples of the OpenAPI document describe, with the same IDs. */
export interface ExampleWorld {
  readonly service: TestService
  /** User 1. */
  readonly admin: SignedInPerson
  /** User 7, `ada`. */
  readonly ada: SignedInPerson
  /** Access link 5, from the administrator to ada. */
  readonly link: { readonly id: number; readonly token: string }
  /** API token 9 of ada. */
  readonly apiToken: string
  /** API token 10 of organization 12. */
  readonly organizationToken: string
  /** OpenID Connect client 2. */
  readonly oidcClient: { readonly client_id: string; readonly client_secret: string }
  /** SAML provider 2. */
  readonly provider: TestProvider
  /** OpenID Connect connection 3, and its identity provider. */
  readonly connection: TestConnection
  readonly upstream: TestUpstream
  readonly passkey: SoftwarePasskey
  readonly passkeyId: number
  /** Serves the metadata of the identity provider. */
  readonly metadata: MetadataServer
  /** All items of the table. */
  readonly items: readonly Item[]
}

/** An invitation for somebody without an account. */
export const exampleInvitation = {
  path: 'organizations/12/invitations',
  body: { email: 'katherine@example.com', roles: ['editor'] },
} as const

/** Creates everything that the examples name. */
export const createExampleWorld = async (service: TestService): Promise<ExampleWorld> => {
  const { services } = service
  const skip = (kind: CountedKind, count: number) => services.table.nextIds(counterKey(kind), count)

  const admin = await addUser(service, { username: 'admin', permissions: ['system:admin-access'] })
  const create = async (path: string, body: object, { bearer } = admin) => {
    const answer = await service.client('POST', `/api/2/${path}`, { bearer, body })
    if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`)
    return answer.body
  }
  await skip('group', 2)
  await create('groups', { name: 'editors', permissions: ['media:access'] })
  await skip('user', 5)
  const ada = await addUser(service, {
    username: 'ada',
    full_name: 'Ada Lovelace',
    email: 'ada@example.com',
    groups: [3],
    permissions: ['media:access'],
  })
  await service.client('PUT', '/api/2/organization-roles', {
    bearer: admin.bearer,
    body: { roles: [{ key: 'editor', texts: { en: 'Editor' }, permissions: ['films:edit'] }] },
  })
  await service.client('PUT', '/api/2/organization-policy', {
    bearer: admin.bearer,
    body: { creation: 'everybody', ending_grace_days: 30, company_sign_in: 'ask' },
  })
  await skip('organization', 11)
  await create('organizations', { name: 'Example Studios', slug: 'example-studios' })
  await create('organizations/12/members', { user: ada.user.id, roles: ['editor'] })
  await skip('organization-invitation', 5)
  await create(exampleInvitation.path, exampleInvitation.body)
  await skip('user-template', 3)
  await create('user-templates', { name: 'Example Corp staff', groups: [3] })
  await skip('oidc-client', 1)
  await skip('protected-api', 1)
  await create('protected-apis', { name: 'Music', audience: 'https://music.example.com' })
  const press = {
    name: 'Press',
    redirect_uris: ['https://press.example.com/callback'],
    scopes: ['openid', 'profile', 'email'],
  }
  const oidcClient = await create('oidc-clients', press)
  await service.client('PUT', '/api/2/branding/logo', {
    bearer: admin.bearer,
    body: { content_type: 'image/png', data: exampleLogo.data },
  })
  await skip('connection', 1)
  const provider = await addProvider(service, await makeIdp())
  const upstream = await startUpstream()
  const connection = await addConnection(service, admin.bearer, upstream.issuer, { auto_create_users: true })
  await skip('access-token', 4)
  const link = await create('auth/access-tokens', {
    bundles: [{ ...exampleBundle, asset: 8 }],
    directories: [exampleDirectory],
    permissions: { allow_read: true },
    user: ada.user.id,
  })
  await skip('api-token', 8)
  const { token: apiToken } = await create('api-tokens', { name: 'nightly export' }, ada)
  const { token: organizationToken } = await create('organizations/12/api-tokens', {
    name: 'nightly import',
    permissions: ['films:edit', 'org:members:view'],
  })
  const passkey = new SoftwarePasskey()
  const path = '/api/2/users/me/passkeys/options'
  const { body: options } = await service.client('POST', path, { bearer: ada.bearer })
  const credential = passkey.create(options, { origin: service.url })
  const { id: passkeyId } = await create('users/me/passkeys', { name: 'Laptop', credential }, ada)
  const metadata = await startMetadataServer()
  const { entityId, signer, sloUrl } = provider.idp
  metadata.serve(plainMetadata({ entityId, sloUrl, certificates: [signer] }))
  const items = await readItems(service.tableName)
  const saml = { provider, metadata }
  const oidc = { oidcClient, connection, upstream }
  return {
    service,
    admin,
    ada,
    link,
    apiToken,
    organizationToken,
    ...saml,
    ...oidc,
    passkey,
    passkeyId,
    items,
  }
}

const addUser = async (
  service: TestService,
  fields: Parameters<typeof addPerson>[1],
): Promise<SignedInPerson> => {
  const person = await addPerson(service, fields, examplePassword)
  return { ...person, bearer: await signIn(service, person) }
}
