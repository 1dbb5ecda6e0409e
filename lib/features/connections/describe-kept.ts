import type { KeptByDirectory } from '../../accounts/users/kept-by-directory.models.ts'
import type { UserRecord } from '../../accounts/users/stored-user.records.ts'
import type { Table } from '../../kernel/table/table.ts'

/** What directories keep of a user, as bodies have it. Users without a directory take no table call. */
export const describeKept = async (
  table: Table,
  user: UserRecord,
): Promise<{ readonly kept_by_directories?: KeptByDirectory[] }> => {
  if (!user.directories) return {}
  // Loaded on demand, because few users have a directory.
  const { findKept } = await import('./kept-by-directory.ts')
  const kept = await findKept(table, user)
  if (kept.length === 0) return {}
  return {
    kept_by_directories: kept.map(({ connection: { id, name }, fields, groups, attributes }) => ({
      connection: id,
      name,
      fields: [...fields],
      groups: [...groups],
      ...(attributes.length > 0 && { attributes: attributes.map(({ to }) => to) }),
    })),
  }
}
