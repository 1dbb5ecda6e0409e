import { randomBytes } from 'node:crypto'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { mintResetToken } from '../../lib/features/passwords/reset-tokens.ts'
import { organizationPermissionNames } from '../../lib/kernel/contract/organization-permissions.ts'
import { scopes } from '../../lib/kernel/contract/scopes.ts'
import { hashCredential, mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { apiTokenKey } from '../../lib/kernel/table/keys/keys.ts'
import { type CredentialKind, credentialPrefixes } from '../../lib/kernel/util/credential-prefixes.ts'
import { ageAuthentication } from './age-authentication.ts'
import { addLink, redeem } from './links.ts'
import { addSignedIn, type SignedInPerson } from './people.ts'
import type { ReviewedOperation } from './reviewed-operations.ts'
import { addDirectory, storeConnection } from './scim.ts'
import type { TestService } from './service.ts'

/** A credential of one kind, with what the operations should know about it. */
export interface Credential {
  readonly kind: 'none' | 'session' | 'api_token' | 'organization_token' | 'reset_token' | 'scim_token'
  /** What the request sends, for an operation. */
  readonly send: (operation: ReviewedOperation) => {
    bearer?: string
    headers?: Readonly<Record<string, string>>
  }
  /** The permissions of the user whom it identifies. */
  readonly permissions: readonly string[]
  /** The scopes of an API token that has some. */
  readonly scopes?: (operation: ReviewedOperation) => readonly string[]
  readonly isLinkSession?: true
  readonly isImpersonating?: true
  readonly isStale?: true
  readonly isForeignCookie?: true
  readonly hasExpired?: true
  /** The connection that the request names. The credential is a token of its directory. */
  readonly connectionId?: number
  /** The organization that the request names, and what the credential allows there. Without it, the organization does not exist. */
  readonly organization?: {
    readonly id: number
    /** Undefined for somebody who is no member. */
    readonly permissions?: readonly string[]
  }
}

const admin = ['system:admin-access']
const manager = ['users:manage', 'users:view']
/** Every kind of credential, also those of later versions, in a form that no record has. */
const otherKinds = Object.keys(credentialPrefixes) as CredentialKind[]
/** A scope that no operation requires. */
const unrelatedScope = 'client-address:set'

/**
 * Creates a credential of every kind that exists, and of every state that matters. A new kind of credential belongs here:
 * the tests then demand a decision of every operation.
 */
export const createCredentials = async (
  service: TestService,
): Promise<Readonly<Record<string, Credential>>> => {
  const { client, services } = service
  const { table } = services
  const post = async (path: string, bearer: string, body: object = {}) => {
    const answer = await client('POST', `/api/2/${path}`, { bearer, body })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
    return answer.body
  }
  const createToken = async ({ bearer }: SignedInPerson, given: object = {}): Promise<string> =>
    (await post('api-tokens', bearer, { name: 'matrix', ...given })).token
  const addAdmin = () => addSignedIn(service, { permissions: admin })
  const byBearer = (bearer: string) => () => ({ bearer })
  const unknown = (bearer: string): Credential => ({ kind: 'none', send: byBearer(bearer), permissions: [] })

  const [plain, managing, root] = [
    await addSignedIn(service),
    await addSignedIn(service, { permissions: manager }),
    await addAdmin(),
  ]
  const scoped = new Map<string, string>()
  for (const scope of Object.keys(scopes)) scoped.set(scope, await createToken(root, { scopes: [scope] }))
  const getScope = ({ access }: ReviewedOperation): string =>
    (access.allow === 'anyone' ? undefined : access.scope) ?? unrelatedScope

  const impersonator = await addAdmin()
  await post('auth/impersonation', impersonator.bearer, { user: plain.user.id })

  const stale = await addAdmin()
  await ageAuthentication(service, stale, services.config.recentAuthenticationMs + 1)

  const expired = await createToken(root, { expires: '2099-01-01T00:00:00Z' })
  await table.update(apiTokenKey(root.user.id, hashCredential(expired)), (x) => ({
    set: [`${x.path('expiresAt')} = ${x.value(services.now())}`],
  }))

  const disabled = await addAdmin()
  const tokenOfDisabled = await createToken(disabled)
  await editUser(table, disabled.user, { is_enabled: false })

  /** Tokens that somebody chose have no prefix, and are looked up in another way. */
  const chooseToken = () => randomBytes(32).toString('base64url')
  const chosen = chooseToken()
  await createToken(root, { token: chosen })

  const guestLink = await addLink(service, root.bearer, { email: `guest-${root.user.id}@example.com` })
  const memberLink = await addLink(service, root.bearer, { user: root.user.id })
  const reset = mintResetToken(services, root.user)
  await table.transact(reset.steps)

  const organization = await post('organizations', root.bearer, {
    name: 'Matrix',
    slug: `matrix-${root.user.id}`,
  })
  const { token: organizationToken } = await post(
    `organizations/${organization.id}/api-tokens`,
    root.bearer,
    { name: 'matrix', permissions: organizationPermissionNames.filter((name) => name !== 'org:keys:manage') },
  )

  const { token: weakToken } = await post(`organizations/${organization.id}/api-tokens`, root.bearer, {
    name: 'weak',
    permissions: ['org:events:view'],
  })
  const foreign = await post('organizations', root.bearer, {
    name: 'Foreign',
    slug: `foreign-${root.user.id}`,
  })
  const directory = await addDirectory(service, await storeConnection(service), {}, root)
  const addMember = async (role: string, permissions: readonly string[] = []): Promise<SignedInPerson> => {
    const person = await addSignedIn(service, { permissions: [...permissions] })
    await post(`organizations/${organization.id}/members`, root.bearer, {
      user: person.user.id,
      roles: [role],
    })
    return person
  }
  const [owner, orgAdmin, member, former] = [
    await addMember('owner'),
    await addMember('admin'),
    await addMember('member'),
    await addMember('owner'),
  ]
  await client('DELETE', `/api/2/users/me/organizations/${organization.id}`, { bearer: former.bearer })
  const sharer = await addMember('owner', ['media:access'])
  const ownLink = await addLink(service, sharer.bearer, { organization: organization.id })
  /** What the built-in role does not allow is written by hand. */
  const ofAdmin = organizationPermissionNames.filter(
    (name) => !['org:sign-in:manage', 'org:keys:manage', 'org:ending:manage'].includes(name),
  )
  const inOwn = (permissions: readonly string[]) => ({ organization: { id: organization.id, permissions } })
  const inForeign = { organization: { id: foreign.id } }

  const session = (bearer: string, permissions: readonly string[] = []): Credential => ({
    kind: 'session',
    send: byBearer(bearer),
    permissions,
  })
  const apiToken = (bearer: string, permissions: readonly string[] = []): Credential => ({
    kind: 'api_token',
    send: byBearer(bearer),
    permissions,
  })
  return {
    nothing: { kind: 'none', send: () => ({}), permissions: [] },
    'a malformed value': unknown('lks_x'),
    'session of a user': session(plain.bearer),
    'session of a manager': session(managing.bearer, manager),
    'session of an administrator': session(root.bearer, admin),
    'old session of an administrator': { ...session(stale.bearer, admin), isStale: true },
    'session of a disabled administrator': unknown(disabled.bearer),
    'session of an administrator who impersonates a user': {
      ...session(impersonator.bearer),
      isImpersonating: true,
    },
    'cookie of an administrator, from a page of another site': {
      kind: 'session',
      send: () => ({
        headers: {
          cookie: `latchkey=${root.bearer}`,
          origin: 'https://evil.example',
          'sec-fetch-site': 'cross-site',
        },
      }),
      permissions: admin,
      isForeignCookie: true,
    },
    'session of a link for a guest': {
      ...session((await redeem(service, guestLink.token)).body.session_key),
      isLinkSession: true,
    },
    'session of a link of an organization': {
      ...session((await redeem(service, ownLink.token)).body.session_key),
      isLinkSession: true,
    },
    'session of a link for an administrator': {
      ...session((await redeem(service, memberLink.token, { bearer: root.bearer })).body.session_key),
      isLinkSession: true,
    },
    'API token of a user': apiToken(await createToken(plain)),
    'API token of a manager': apiToken(await createToken(managing), manager),
    'API token of an administrator': apiToken(await createToken(root), admin),
    'API token of an administrator with a chosen value': apiToken(chosen, admin),
    'an unknown value of the form of a chosen API token': unknown(chooseToken()),
    'API token of an administrator with the scope of the operation': {
      kind: 'api_token',
      send: (operation) => ({ bearer: scoped.get(getScope(operation)) ?? '' }),
      permissions: admin,
      scopes: (operation) => [getScope(operation)],
    },
    'API token of an administrator with another scope': {
      ...apiToken(scoped.get(unrelatedScope) ?? '', admin),
      scopes: () => [unrelatedScope],
    },
    'API token of a user with every scope': {
      ...apiToken(await createToken(plain, { scopes: Object.keys(scopes) })),
      scopes: () => Object.keys(scopes),
    },
    'expired API token': { ...unknown(expired), hasExpired: true },
    'API token of a disabled administrator': unknown(tokenOfDisabled),
    'reset token of an administrator': {
      kind: 'reset_token',
      send: byBearer(reset.value),
      permissions: admin,
    },
    'API token of an organization with every permission': {
      kind: 'organization_token',
      send: byBearer(organizationToken),
      permissions: [],
    },
    'token of a directory, at its connection': {
      kind: 'scim_token',
      send: byBearer(directory.token),
      permissions: [],
      connectionId: directory.connectionId,
    },
    'token of a directory, at another connection': {
      kind: 'scim_token',
      send: byBearer(directory.token),
      permissions: [],
    },
    'session of an owner, in their organization': {
      ...session(owner.bearer),
      ...inOwn(organizationPermissionNames),
    },
    'session of an owner, in another organization': { ...session(owner.bearer), ...inForeign },
    'session of an admin, in their organization': { ...session(orgAdmin.bearer), ...inOwn(ofAdmin) },
    'session of a member without permissions, in their organization': {
      ...session(member.bearer),
      ...inOwn([]),
    },
    'session of a former owner': { ...session(former.bearer), organization: { id: organization.id } },
    'session of an administrator, in an organization of others': {
      ...session(root.bearer, admin),
      ...inForeign,
    },
    'API token of an owner, in their organization': {
      ...apiToken(await createToken(owner)),
      ...inOwn(organizationPermissionNames),
    },
    'API token of an owner, in another organization': { ...apiToken(await createToken(owner)), ...inForeign },
    'API token of a former owner': {
      ...apiToken(await createToken(former)),
      organization: { id: organization.id },
    },
    'API token of an organization, in it': {
      kind: 'organization_token',
      send: byBearer(organizationToken),
      permissions: [],
      ...inOwn(organizationPermissionNames.filter((name) => name !== 'org:keys:manage')),
    },
    'API token of an organization, in another one': {
      kind: 'organization_token',
      send: byBearer(organizationToken),
      permissions: [],
      ...inForeign,
    },
    'API token of an organization with one permission, in it': {
      kind: 'organization_token',
      send: byBearer(weakToken),
      permissions: [],
      ...inOwn(['org:events:view']),
    },
    'ticket of an administrator': unknown((await post('auth/ticket', root.bearer)).ticket),
    'value of an access link': unknown(guestLink.token),
    ...Object.fromEntries(
      otherKinds.map((kind) => [`unknown ${kind}`, unknown(mintCredential(kind, root.user.id).value)]),
    ),
  }
}
