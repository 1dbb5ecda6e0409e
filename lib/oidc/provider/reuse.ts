import { auditStep } from '../../accounts/common/request-context.ts'
import { readClientId } from '../../store/oidc/client-id.ts'
import { deleteOidcGrant, findOidcGrant } from '../../store/oidc/grants.ts'
import type { OidcGrantRecord } from '../../store/oidc/oidc-grant-record.ts'
import type { ProviderRun } from './run.ts'

/** The ID of the client of a grant, as audit events name it. */
export const nameClientTarget = ({ clientId }: Pick<OidcGrantRecord, 'clientId'>): string =>
  String(readClientId(clientId) ?? clientId)

/**
 * Ends a grant because one of its codes or refresh tokens was presented again: one of the two callers is a thief (RFC 9700
 * 4.14.2). The audit event is written once, however often the token is presented afterwards.
 */
export const endReusedGrant = async (
  { services, context, grant }: ProviderRun,
  id: string,
): Promise<void> => {
  const { table, now } = services
  const ending = grant?.id === id ? grant : await findOidcGrant(table, id, now())
  if (!ending) return
  const details = { user: ending.userId, target: nameClientTarget(ending) }
  await deleteOidcGrant(table, id, context ? [auditStep(context, 'oidc_client.token_reused', details)] : [])
}
