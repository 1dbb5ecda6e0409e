import { requireFound } from '../../../kernel/errors/errors.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { Services } from '../../../services.ts'
import type { RequestContext } from '../../access/request-context.ts'
import type { OidcConnectionRecord } from '../oidc/records.ts'
import { type ConnectionRecord, findConnection } from '../records.ts'
import { type ConnectionName, findSamlProvider, type SamlProviderRecord } from './records.ts'

/** The context of a request that concerns one identity provider. */
export interface SamlContext {
  readonly services: Services
  readonly provider: SamlProviderRecord
  readonly context: RequestContext
}

/** What the rules of a sign-in need of a company connection of either kind. */
export type CompanyConnection = ConnectionName &
  Pick<SamlProviderRecord, keyof SamlProviderRecord & keyof OidcConnectionRecord> &
  Partial<Pick<SamlProviderRecord, 'entityId' | 'certificate' | 'nameidAttribute'>> &
  Partial<Pick<OidcConnectionRecord, 'issuer' | 'clientId' | 'hostedDomain'>>

/** The context of a sign-in through a connection of either kind. */
export type ConnectionContext = Omit<SamlContext, 'provider'> & { readonly provider: CompanyConnection }

/** How audit events name a connection. */
export const getConnectionTarget = ({ id, kind }: ConnectionName): string => `${kind ?? 'saml'}:${id}`

/** @throws AppError `not_found` when there is no SAML provider with this ID */
export const requireProvider = async (table: Table, id: number): Promise<SamlProviderRecord> =>
  requireFound(await findSamlProvider(table, id))

/** @throws AppError `not_found` when there is no company connection of either kind with this ID */
export const requireConnection = async (table: Table, id: number): Promise<ConnectionRecord> =>
  requireFound(await findConnection(table, id))
