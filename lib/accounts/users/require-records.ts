import { notFound, requireFound } from '../../kernel/errors/errors.ts'
import type { Table } from '../../kernel/table/table.ts'
import { findGroup, type GroupRecord } from '../groups/groups.records.ts'
import { findUser } from './find-users.records.ts'
import type { UserRecord } from './stored-user.records.ts'

/** @throws AppError `not_found` when there is no user with this ID, or an account has replaced this guest */
export const requireUser = async (table: Table, id: number): Promise<UserRecord> => {
  const user = requireFound(await findUser(table, id), 'user')
  if (user.successorId !== undefined) throw notFound('user')
  return user
}

/** @throws AppError `not_found` when there is no group with this ID */
export const requireGroup = async (table: Table, id: number): Promise<GroupRecord> =>
  requireFound(await findGroup(table, id), 'group')
