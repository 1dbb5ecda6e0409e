import { findUsers } from '../../accounts/users/find-users.records.ts'
import { buildLeakSteps, keepsChanging, type LeakRow } from '../../accounts/users/leak-row.ts'
import { isSameHash } from '../../kernel/secrets/credentials.ts'
import { retryConflicts } from '../../kernel/table/retry-conflicts.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import { deleteLink } from './delete-link.ts'
import { findAccessLink, isUsable } from './records.ts'

export const accessLink: LeakRow = {
  /** Ends its sessions, too. Its creator is informed, because the link is theirs. */
  end: (services, context, { subject, hash }) =>
    retryConflicts(async () => {
      const link = await findAccessLink(services.table, subject)
      if (!link || !isSameHash(link.hash, hash) || !isUsable(link, services.now())) return
      const [creator] = await findUsers(services.table, [link.createdBy])
      const steps = creator ? buildLeakSteps(services, context, creator, `access_token:${link.id}`) : []
      if (!(await deleteLink(services, link, context, steps))) throw new EditConflict()
    }, keepsChanging),
  find: async ({ table }, { subject, hash }) => {
    const link = await findAccessLink(table, subject)
    return link && isSameHash(link.hash, hash)
      ? { kind: 'access_token', id: link.id, user: link.createdBy }
      : undefined
  },
  findByStart: async (table, subject) => {
    const link = await findAccessLink(table, subject)
    return link && { kind: 'access_token', id: link.id, user: link.createdBy }
  },
}
