import { AppError, conflict, notFound } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import { requireConnection } from '../connections/connection-context.ts'
import { isPublic } from '../connections/public-connections.ts'
import type { Connection } from '../connections/records.ts'
import type { OrganizationAccess } from '../organizations/access.ts'

/** A connection of a company, which can have a directory. */
export const requireCompany = async (table: Table, id: number): Promise<Connection> => {
  const connection = await requireConnection(table, id)
  if (isPublic(connection)) throw conflict('A public provider has no directory of people.')
  return connection
}

/** A connection that the organization brought. That of another one does not exist. */
export const requireOwn = async (
  table: Table,
  { organization }: OrganizationAccess,
  id: number,
): Promise<Connection> => {
  const connection = await requireCompany(table, id)
  if (connection.organization_id !== organization.id) throw notFound('connection')
  if (!connection.isFromOrganization)
    throw new AppError('permission_denied', {
      detail: 'An administrator of this service manages the connection.',
    })
  return connection
}
