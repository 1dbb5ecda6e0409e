import { errors } from 'oidc-provider'
import { consume } from '../../../accounts/callers/throttle.ts'
import { writeAudit } from '../../../accounts/events/write-event.ts'
import { scimScope } from '../../../kernel/settings/jwt-audiences.ts'
import { omitUndefined } from '../../../kernel/util/object-fields.ts'
import { findNamedActive, readOrganizationName } from '../../organizations/named-organization.ts'
import { statePermissions, toOrganizationClaims } from '../../organizations/organization-claims.ts'
import type { OrganizationRecord } from '../../organizations/records.ts'
import type { ClientRecord } from '../clients.records.ts'
import { listMachinePermissions } from '../machine-tokens.ts'
import type { ApiRights } from '../protected-apis.records.ts'
import { limitMachine } from '../token-claims.ts'
import { type MachineClaims, nameMachine } from '../tokens/claims.ts'
import type { ProviderRun } from './run.ts'

/** What a client asks for. */
interface MachineRequest {
  readonly api: ApiRights
  readonly scopes: readonly string[]
}

/**
 * Describes a client in a token for itself. Writes an audit event for each token.
 *
 * @throws AppError `too_many_requests` if the client asks too often: tokens can be used until they expire
 */
export const describeMachine = async (
  run: Pick<ProviderRun, 'services' | 'context' | 'named'>,
  client: ClientRecord,
  { api, scopes }: MachineRequest,
): Promise<Pick<MachineClaims, 'sub' | 'permissions' | 'org_permissions' | 'org_id'>> => {
  const { services, context } = run
  const { id, clientId } = client
  await consume(services, 'machineTokensPerClient', String(id))
  const organization = await findOrganization(run, client)
  const details = { target: String(id), ...omitUndefined({ organization: organization?.id }) }
  if (context) await writeAudit(services, context, 'oidc_client.token_issued', details)
  const permissions = limitMachine(client, await listMachinePermissions(services, client), api, scopes)
  return {
    sub: nameMachine(clientId),
    ...(organization && toOrganizationClaims(organization)),
    ...statePermissions(permissions, { isInOrganization: organization !== undefined }),
  }
}

/**
 * The organization that a client asks for. One that is suspended is refused like one that does not exist.
 *
 * @throws AccessDenied
 */
const findOrganization = async (
  { services, named = {} }: Pick<ProviderRun, 'services' | 'named'>,
  { machine_organizations: isAllowed }: ClientRecord,
): Promise<OrganizationRecord | undefined> => {
  if (readOrganizationName(named) === undefined) return undefined
  if (!isAllowed) throw new errors.UnauthorizedClient('the client gets no tokens for organizations')
  const organization = await findNamedActive(services.table, named)
  if (!organization) throw new errors.AccessDenied('the organization does not exist')
  return organization
}

/**
 * Describes the client of a directory in a token for its connection, which states no right but the scope. Writes an audit event.
 *
 * @throws AppError `too_many_requests` if the client asks too often
 */
export const describeDirectory = async (
  { services, context }: Pick<ProviderRun, 'services' | 'context'>,
  { id, clientId }: ClientRecord,
  wanted: string,
): Promise<Pick<MachineClaims, 'sub' | 'permissions'>> => {
  if (wanted !== scimScope) throw new errors.InvalidScope(`the scope has to be ${scimScope}`, scimScope)
  await consume(services, 'machineTokensPerClient', String(id))
  if (context) await writeAudit(services, context, 'oidc_client.token_issued', { target: String(id) })
  return { sub: nameMachine(clientId), permissions: [] }
}
