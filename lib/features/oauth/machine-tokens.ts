import { sortPermissions } from '../../accounts/callers/permissions.ts'
import { findGroups } from '../../accounts/groups/groups.records.ts'
import type { Services } from '../../services.ts'
import {
  type StatedPermissions,
  statePermissions,
  toOrganizationClaims,
} from '../organizations/organization-claims.ts'
import type { ClientRecord } from './clients.records.ts'
import { isApiOf, listGrantedScopes, toResource } from './resources.ts'
import { limitMachine } from './token-claims.ts'
import { findMachineClient } from './token-state.records.ts'
import type { MachineClaims } from './tokens/claims.ts'

/*
 * Access tokens that a client gets for itself (RFC 6749 4.4). Everything that they depend on is the client and its API.
 */

/** All permissions of a client and of its groups. Takes one table call if it has groups. */
export const listMachinePermissions = async (
  { table }: Pick<Services, 'table'>,
  { machine_permissions: machinePermissions, machine_groups: machineGroups = [] }: ClientRecord,
): Promise<readonly string[]> => {
  if (!machinePermissions || machineGroups.length === 0) return machinePermissions ?? []
  const groups = await findGroups(table, machineGroups)
  return sortPermissions([...machinePermissions, ...groups.flatMap(({ permissions }) => permissions)])
}

/** The client behind a verified token, with what the token still allows. */
export interface Machine {
  readonly client: ClientRecord
  readonly permissions: StatedPermissions
  /** The claims of its organization as it is now. Undefined without one. */
  readonly organization: ReturnType<typeof toOrganizationClaims> | undefined
  /** The scopes of the token that it still has. */
  readonly scopes: readonly string[]
}

/** Finds the client of a verified token for itself, if it may still have the token. Takes one table call, or two if it has groups. */
export const findMachine = async (
  services: Pick<Services, 'table'>,
  { aud, client_id, jti, permissions, org_permissions: inOrganization, org_id, scope = '' }: MachineClaims,
  asker?: ClientRecord,
): Promise<Machine | undefined> => {
  const names = { jti, clientId: client_id, audience: aud, asker, organizationId: org_id }
  const { client, api, organization } = (await findMachineClient(services.table, names)) ?? {}
  if (!client?.machine_permissions || !isApiOf(client, aud, api)) return undefined
  const isForOrganization = client.machine_organizations && organization?.state === 'active'
  if (org_id !== undefined && !isForOrganization) return undefined
  const stated = scope.split(' ')
  const present = limitMachine(client, await listMachinePermissions(services, client), api, stated)
  const allowed = listGrantedScopes(client, toResource(aud), api)
  return {
    client,
    organization: organization && toOrganizationClaims(organization),
    permissions: statePermissions(
      (inOrganization ?? permissions).filter((name) => present.includes(name)),
      { isInOrganization: org_id !== undefined },
    ),
    scopes: stated.filter((name) => allowed.includes(name)),
  }
}
