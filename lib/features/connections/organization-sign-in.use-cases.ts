import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { consume } from '../../accounts/callers/throttle.ts'
import { auditStep } from '../../accounts/events/write-event.ts'
import { buildSecurityNoticeStep } from '../../accounts/outbox/security-notices.ts'
import type { UseCase } from '../../http/use-case.ts'
import {
  AppError,
  conflict,
  type FieldError,
  invalidRequest,
  notFound,
  requireFound,
} from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import type { Step } from '../../kernel/table/transaction.ts'
import { formatTime } from '../../kernel/util/time.ts'
import type { Services } from '../../services.ts'
import { type OrganizationAccess, requireControlOfRoles } from '../organizations/access.ts'
import { requireKnownRoles } from '../organizations/roles.ts'
import {
  auditApprovalRequest,
  chooseFinishedState,
  isAwaitingApproval,
  needsApproval,
  requireCompanySignIn,
} from './approval.ts'
import { requireConnection } from './connection-context.ts'
import {
  type ConnectionDomainRecord,
  DomainTaken,
  findDomainProviderId,
  isProvenDomain,
  isUsableDomain,
  normalizeDomain,
} from './domains.records.ts'
import { auditDomain, checkDomain, createDomain, storeDomains } from './domains.ts'
import { readNewDomain, toDomainBody } from './domains.use-cases.ts'
import { createOidc } from './oidc/create-connection.ts'
import { getRedirectUri } from './oidc/identity-provider.ts'
import { oidcKind } from './oidc/records.ts'
import type { connections } from './operations.ts'
import { listConnectionIds } from './organization-places.records.ts'
import type { OrganizationSignIn } from './organization-sign-in.models.ts'
import { type Connection, editConnectionOf, isOf, readConnections } from './records.ts'
import { removeConnection } from './remove-connection.part.ts'
import { isUnknownEntityId, samlKind } from './saml/records.ts'
import { createSetup } from './saml/setup/create-setup.ts'
import { getSetupUrl } from './saml/setup/setup-links.ts'

export const getOrganizationSignIn: UseCase<typeof connections.getOrganizationSignIn> = async (
  { organization: { organization } },
  services,
) => {
  const found = await readConnections(
    services.table,
    await listConnectionIds(services.table, organization.id),
  )
  return { status: 200, body: found.flatMap((one) => (one ? [toBody(services, one)] : [])) }
}

/** Creates a connection that nobody can sign in with before a domain of the organization is proven. */
export const createOrganizationSignIn: UseCase<typeof connections.createOrganizationSignIn> = async (
  { body, principal: { user }, organization: access, context },
  services,
) => {
  const { table, config } = services
  const { organization } = access
  await requireCompanySignIn(table)
  const roles = body.default_roles === undefined ? ['member'] : body.default_roles
  requireGivableRoles(access, roles ?? [])
  const errors = listOidcErrors(body)
  if (errors.length > 0) throw invalidRequest(errors)
  await consume(services, 'domainChecks', String(user.id))
  const shared = {
    name: organization.name,
    organization_id: organization.id,
    default_organization_roles: roles && [...roles],
    auto_create_users: true,
  }
  // The owners learn it where a connection is stored.
  const noticeSteps = buildSecurityNoticeStep(services, context, user, { kind: 'organization_sign_in_added' })
  const reported = { ...context, alongside: () => (access.isForService ? [] : noticeSteps) }
  if (body.kind === 'oidc') {
    const { issuer = '', client_id = '', client_secret } = body
    const connection = await createOidc(
      services,
      reported,
      { ...shared, issuer, client_id, client_secret, disabled_in_client: true },
      { isFromOrganization: true, setup: { link: null } },
    )
    return { status: 201, body: { ...toBody(services, connection), setup_url: null } }
  }
  const maker = {
    creator: user,
    joining: access.membership?.joining,
    allowsDirectory: body.allows_directory ?? false,
  }
  const { connection, created } = await createSetup(services, reported, maker, {
    ...shared,
    isFromOrganization: true,
  })
  return {
    status: 201,
    body: { ...toBody(services, connection), setup_url: getSetupUrl(config, created.value) },
  }
}

/** An identity provider gives no more than the member who brings it could. */
const requireGivableRoles = (access: OrganizationAccess, roles: readonly string[]): void => {
  if (roles.includes('owner'))
    throw invalidRequest([{ field: 'default_roles', message: 'must not contain owner' }])
  requireKnownRoles(access.declaredRoles, roles, 'default_roles')
  requireControlOfRoles(access, roles)
}

const oidcFields = ['issuer', 'client_id', 'client_secret'] as const

const listOidcErrors = (
  body: { readonly kind: string; readonly allows_directory?: boolean | undefined } & {
    readonly [Name in (typeof oidcFields)[number]]?: string | undefined
  },
): readonly FieldError[] => [
  ...(body.kind === 'oidc' && body.allows_directory
    ? [{ field: 'allows_directory', message: 'belongs to saml' }]
    : []),
  ...oidcFields.flatMap((field) => {
    const isMissing = body[field] === undefined
    if (body.kind === 'oidc') return isMissing ? [{ field, message: 'is required with oidc' }] : []
    return isMissing ? [] : [{ field, message: 'belongs to oidc. The page of a set-up link asks for it' }]
  }),
]

/** Deletes a connection that the organization brought. Repeating the request resumes an interrupted deletion. */
export const deleteOrganizationSignIn: UseCase<typeof connections.deleteOrganizationSignIn> = async (
  { params, principal, organization: access, context },
  services,
) => {
  const connection = await requireOwn(services.table, access, params.connection_id)
  const request = { params: { id: connection.id }, principal, context }
  return isOf(samlKind, connection)
    ? removeConnection(request, services, samlKind)
    : removeConnection(request, services, oidcKind)
}

/** Adds a domain, or looks for the record of one that the connection has. The first proof can finish the set-up. */
export const checkOrganizationDomain: UseCase<typeof connections.checkOrganizationDomain> = async (
  { params, body, principal: { user }, organization: access, context },
  services,
) => {
  const { table } = services
  const provider = await requireOwn(table, access, params.connection_id)
  await requireCompanySignIn(table)
  const known = provider.domains.find(({ name }) => name === normalizeDomain(body.domain))
  const name = known?.name ?? (await readNewDomain(provider, body.domain))
  if (!known && (await findDomainProviderId(table, name)) !== undefined) throw new DomainTaken()
  await consume(services, 'domainChecks', String(user.id))
  const checked = await checkDomain(known ?? createDomain(name), services.now())
  const domains = known
    ? provider.domains.map((domain) => (domain === known ? checked : domain))
    : [...provider.domains, checked]
  const added = known ? [] : [auditDomain(context, provider, 'added', name)]
  const isProvenNow = checked.state === 'proven' && known?.state !== 'proven' && !access.isForService
  const stored = await storeDomains({ services, provider, context }, domains, [
    ...added,
    ...(isProvenNow
      ? buildSecurityNoticeStep(services, context, user, { kind: 'organization_domain_proven' })
      : []),
  ])
  return { status: 200, body: toBody(services, await finish(services, context, stored)) }
}

/** Takes an OpenID Connect connection live, or lets it wait for an approval, if a domain is proven. The set-up page finishes SAML. */
const finish = async (
  { table }: Services,
  context: RequestContext,
  connection: Connection,
): Promise<Connection> => {
  const isComplete = isOf(oidcKind, connection) && connection.domains.some(isUsableDomain)
  if (!connection.setup || isAwaitingApproval(connection) || !isComplete) return connection
  const setup = await chooseFinishedState(table, connection)
  const steps = setup ? [auditApprovalRequest(context, connection)] : []
  return storeChanges(table, connection, { setup }, steps)
}

const storeChanges = async (
  table: Table,
  connection: Connection,
  changes: Partial<Pick<Connection, 'setup' | 'domains'>>,
  steps: readonly Step[],
): Promise<Connection> => {
  if (isOf(samlKind, connection)) return editConnectionOf(table, samlKind, connection, changes, steps)
  if (isOf(oidcKind, connection)) return editConnectionOf(table, oidcKind, connection, changes, steps)
  throw new Error(`The connection ${connection.id} is of no known kind.`)
}

/** Releases a domain, so that another organization can prove it. */
export const removeOrganizationDomain: UseCase<typeof connections.removeOrganizationDomain> = async (
  { params, organization: access, context },
  services,
) => {
  const provider = await requireOwn(services.table, access, params.connection_id)
  const name = normalizeDomain(params.domain)
  const domain: ConnectionDomainRecord = requireFound(
    provider.domains.find((one) => one.name === name),
    'domain',
    'Use a domain that this connection has.',
  )
  const others = provider.domains.filter((one) => one !== domain)
  const stored = await storeDomains({ services, provider, context }, others, [
    auditDomain(context, provider, 'removed', domain.name),
  ])
  return { status: 200, body: toBody(services, stored) }
}

/** Takes a connection live that waits for it, with the identity provider and the domains that the administrator saw. */
export const approveConnection: UseCase<typeof connections.approveConnection> = async (
  { params, body, context },
  { table },
) => {
  const connection = await requireConnection(table, params.id)
  if (!needsApproval(connection)) throw conflict('The connection does not wait for an approval.')
  const proven = connection.domains.filter(isProvenDomain).map(({ name }) => name)
  const isAsSeen =
    body.provider === getProvider(connection) && body.domains.toSorted().join() === proven.toSorted().join()
  if (!isAsSeen)
    throw new AppError('conflict', {
      reason: 'decision_changed',
      detail:
        'The connection has another identity provider or other domains than the request names. Look again.',
    })
  const { id, organization_id: organization } = connection
  const domains = connection.domains.map(({ awaitsApproval: _, ...domain }) => domain)
  await storeChanges(table, connection, { setup: null, domains }, [
    auditStep(context, 'connection.approved', {
      target: String(id),
      ...(organization !== null && { organization }),
    }),
  ])
  return { status: 204 }
}

/** The connection of another organization does not exist, like one that was never created. */
const requireOwn = async (
  table: Table,
  { organization }: OrganizationAccess,
  id: number,
): Promise<Connection> => {
  const connection = await requireConnection(table, id)
  if (connection.organization_id !== organization.id) throw notFound('connection')
  if (!connection.isFromOrganization)
    throw new AppError('permission_denied', {
      detail: 'An administrator of this service manages the connection.',
    })
  return connection
}

const getState = (connection: Connection): OrganizationSignIn['state'] => {
  if (!connection.setup) return 'live'
  return isAwaitingApproval(connection) ? 'awaits_approval' : 'in_setup'
}

const getProvider = (connection: Connection): string | null => {
  if (isOf(oidcKind, connection)) return connection.issuer
  return isOf(samlKind, connection) && !isUnknownEntityId(connection.entity_id) ? connection.entity_id : null
}

const toBody = ({ config, now }: Services, connection: Connection): OrganizationSignIn => {
  const { id, kind, name, setup, domains, isFromOrganization, default_organization_roles: roles } = connection
  const expiresAt = setup?.link?.expiresAt
  return {
    id,
    kind: kind === 'oidc' ? 'oidc' : 'saml',
    name,
    state: getState(connection),
    is_from_organization: isFromOrganization === true,
    provider: getProvider(connection),
    domains: domains.map(toDomainBody),
    default_roles: roles && [...roles],
    redirect_uri: kind === 'oidc' ? getRedirectUri(config.publicUrl, id) : null,
    setup_expires_at: expiresAt === undefined || expiresAt <= now() ? null : formatTime(expiresAt),
  }
}
