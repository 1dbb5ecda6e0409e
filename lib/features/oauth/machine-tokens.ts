import type { Services } from '../../services.ts'
import { sortPermissions } from '../access/permissions.ts'
import { consume } from '../access/throttle.ts'
import { writeAudit } from '../audit/write-event.ts'
import { findGroups } from '../directory/groups.records.ts'
import type { ClientRecord } from './clients.records.ts'
import type { ApiRights } from './protected-apis.records.ts'
import type { ProviderRun } from './provider/run.ts'
import { isApiOf, listGrantedScopes, toResource } from './resources.ts'
import { limitMachine } from './token-claims.ts'
import { findMachineClient } from './token-state.records.ts'
import { type MachineClaims, nameMachine } from './tokens/claims.ts'

/*
 * Access tokens that a client gets for itself (RFC 6749 4.4). Everything that they depend on is the client and its API.
 */

/** What a client asks for. */
interface MachineRequest {
  readonly api: ApiRights
  readonly scopes: readonly string[]
}

/** All permissions of a client and of its groups. Takes one table call if it has groups. */
const listPermissions = async (
  { table }: Pick<Services, 'table'>,
  { machine_permissions: machinePermissions, machine_groups: machineGroups = [] }: ClientRecord,
): Promise<readonly string[]> => {
  if (!machinePermissions || machineGroups.length === 0) return machinePermissions ?? []
  const groups = await findGroups(table, machineGroups)
  return sortPermissions([...machinePermissions, ...groups.flatMap(({ permissions }) => permissions)])
}

/**
 * Describes a client in a token for itself. Writes an audit event for each token.
 *
 * @throws AppError `too_many_requests` if the client asks too often: tokens can be used until they expire
 */
export const describeMachine = async (
  { services, context }: Pick<ProviderRun, 'services' | 'context'>,
  client: ClientRecord,
  { api, scopes }: MachineRequest,
): Promise<{ readonly sub: string; readonly permissions: readonly string[] }> => {
  const { id, clientId } = client
  await consume(services, 'machineTokensPerClient', String(id))
  if (context) await writeAudit(services, context, 'oidc_client.token_issued', { target: String(id) })
  return {
    sub: nameMachine(clientId),
    permissions: limitMachine(client, await listPermissions(services, client), api, scopes),
  }
}

/** The client behind a verified token, with what the token still allows. */
export interface Machine {
  readonly client: ClientRecord
  readonly permissions: readonly string[]
  /** The scopes of the token that it still has. */
  readonly scopes: readonly string[]
}

/** Finds the client of a verified token for itself, if it may still have the token. Takes one table call, or two if it has groups. */
export const findMachine = async (
  services: Pick<Services, 'table'>,
  { aud, client_id, jti, permissions, scope = '' }: MachineClaims,
  asker?: ClientRecord,
): Promise<Machine | undefined> => {
  const { client, api } =
    (await findMachineClient(services.table, { jti, clientId: client_id, audience: aud, asker })) ?? {}
  if (!client?.machine_permissions || !isApiOf(client, aud, api)) return undefined
  const stated = scope.split(' ')
  const present = limitMachine(client, await listPermissions(services, client), api, stated)
  const allowed = listGrantedScopes(client, toResource(aud), api)
  return {
    client,
    permissions: permissions.filter((name) => present.includes(name)),
    scopes: stated.filter((name) => allowed.includes(name)),
  }
}
