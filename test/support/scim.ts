import { randomUUID } from 'node:crypto'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { buildCompanyAccountSteps } from '../../lib/features/connections/accounts.records.ts'
import { oidcDefaults } from '../../lib/features/connections/oidc/provider-fields.ts'
import { oidcKind } from '../../lib/features/connections/oidc/records.ts'
import { allocateConnectionId, createConnection } from '../../lib/features/connections/records.ts'
import type { Answer } from './client.ts'
import { addPerson, addSignedIn, callAs, type SignedInPerson } from './people.ts'
import type { TestService } from './service.ts'

export const schemas = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
} as const

/** The directory of a customer, which calls with a token of its connection. */
export interface TestDirectory {
  readonly connectionId: number
  readonly token: string
  /** Sends a request to a path below the address of the connection. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<Answer>
  /** Sends a person, and returns the response. */
  readonly addUser: (fields: object) => Promise<Answer>
  readonly patch: (id: string, value: object) => Promise<Answer>
}

/** A connection that works, without an identity provider that answers. */
export const storeConnection = async (
  { services: { table } }: TestService,
  fields: object = {},
): Promise<number> => {
  const id = await allocateConnectionId(table)
  await createConnection(
    table,
    oidcKind,
    {
      ...oidcDefaults,
      id,
      kind: 'oidc',
      version: 1,
      name: 'Directory',
      normalizedName: 'directory',
      domains: [],
      issuer: `https://${id}.directory.example`,
      client_id: 'latchkey',
      clientSecret: { cipher: '' },
      publicJwk: null,
      default_organization_roles: null,
      ...fields,
    },
    [],
  )
  return id
}

export const scimSettings = {
  enabled: true,
  match_to: 'user_name',
  match_attribute: null,
  creates_unknown_users: false,
} as const

/** Asks what a new person would do. */
export const scimPreview = {
  method: 'POST',
  resource: 'Users',
  resource_id: null,
  body: JSON.stringify({ schemas: [schemas.user], userName: 'ada@example.com' }),
} as const

/** Lets a connection take people from a directory, and makes a token for it. */
export const addDirectory = async (
  service: TestService,
  connectionId: number,
  settings: object = {},
  admin?: SignedInPerson,
): Promise<TestDirectory> => {
  const manager = admin ?? (await addSignedIn(service, { permissions: ['system:admin-access'] }))
  const manage = callAs(service, manager)
  const path = `auth/connections/${connectionId}/scim`
  const set = await manage('PUT', path, { ...scimSettings, ...settings })
  if (set.status !== 200) throw new Error(set.text)
  const created = await manage('POST', `${path}/tokens`)
  if (created.status !== 201) throw new Error(created.text)
  return callDirectory(service, connectionId, created.body.token)
}

/** The directory with a token of its connection. */
export const callDirectory = (service: TestService, connectionId: number, token: string): TestDirectory => {
  const call: TestDirectory['call'] = (method, at, body, headers) =>
    service.client(method, `/scim/v2/${connectionId}${at}`, {
      bearer: token,
      ...(body !== undefined && { body }),
      ...(headers && { headers }),
    })
  return {
    connectionId,
    token,
    call,
    addUser: (fields) => call('POST', '/Users', { schemas: [schemas.user], ...fields }),
    patch: (id, value) =>
      call('PATCH', `/Users/${id}`, {
        schemas: [schemas.patch],
        Operations: [{ op: 'replace', value }],
      }),
  }
}

/** A person whom a directory sent, and an account that its connection signs in to, without each other. */
export const sendUnassigned = async (
  service: TestService,
  directory: Pick<TestDirectory, 'connectionId' | 'addUser'>,
): Promise<{ readonly person: string; readonly user: number }> => {
  const { connectionId, addUser } = directory
  const { status, text, body } = await addUser({ userName: randomUUID() })
  if (status !== 201) throw new Error(text)
  const { user } = await addPerson(service)
  const nameId = randomUUID()
  await service.services.table.transact(
    buildCompanyAccountSteps(
      { providerId: connectionId, nameId, qualifiers: [] },
      { userId: user.id, groups: [], linkedAt: Date.now(), shownName: nameId, deletedUserId: undefined },
    ),
  )
  return { person: body.id, user: user.id }
}

/** Lets a directory send somebody who has an account here, and signed in through the connection before. */
export const adoptUser = async (
  { services }: TestService,
  { id: userId }: Pick<UserRecord, 'id'>,
  { connectionId, addUser }: Pick<TestDirectory, 'connectionId' | 'addUser'>,
): Promise<string> => {
  const nameId = randomUUID()
  const name = { providerId: connectionId, nameId, qualifiers: [] }
  const account = { userId, groups: [], deletedUserId: undefined, linkedAt: services.now() }
  await services.table.transact(buildCompanyAccountSteps(name, { ...account, shownName: nameId }))
  const { status, text, body } = await addUser({ userName: nameId, displayName: 'Ada Lovelace' })
  if (status !== 201) throw new Error(text)
  return body.id
}
