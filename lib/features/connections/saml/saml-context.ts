import { requireFound } from '../../../kernel/errors/errors.ts'
import type { Table } from '../../../kernel/table/table.ts'
import type { Services } from '../../../services.ts'
import type { RequestContext } from '../../access/request-context.ts'
import { type Connection, type ConnectionName, findConnection } from '../records.ts'
import { findSamlConnection, type SamlConnection } from './records.ts'

/** The context of a request that concerns one identity provider. */
export interface SamlContext {
  readonly services: Services
  readonly provider: SamlConnection
  readonly context: RequestContext
}

/** The context of a request that concerns a connection of any kind. */
export type ConnectionContext = Omit<SamlContext, 'provider'> & { readonly provider: Connection }

/** How audit events name a connection. */
export const getConnectionTarget = ({ id, kind }: ConnectionName): string => `${kind}:${id}`

/** @throws AppError `not_found` when there is no SAML provider with this ID */
export const requireProvider = async (table: Table, id: number): Promise<SamlConnection> =>
  requireFound(await findSamlConnection(table, id))

/** @throws AppError `not_found` when there is no connection with this ID */
export const requireConnection = async (table: Table, id: number): Promise<Connection> =>
  requireFound(await findConnection(table, id))
