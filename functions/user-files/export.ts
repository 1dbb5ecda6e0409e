import { writeAudit } from '../../lib/accounts/common/request-context.ts'
import { findDefinitionsFor } from '../../lib/accounts/directory/user-attributes.ts'
import { createNameFinder, toExportLines } from '../../lib/accounts/user-import/export-lines.ts'
import type { userFiles } from '../../lib/contract/operations/user-files/user-files.ts'
import { readPageRequest, toListReply } from '../../lib/http/paging.ts'
import type { UseCase } from '../../lib/http/use-case.ts'
import { isGuestUser } from '../../lib/store/directory/guest-state.ts'
import { listUsers } from '../../lib/store/directory/users.ts'
import { getIds, getListing, mapRows, readPage } from '../../lib/store/engine/listing.ts'

/** Exports a page of users without their secrets. */
export const getExportedUsers: UseCase<typeof userFiles.getExportedUsers> = async (request, services) => {
  const { table, config } = services
  const wanted = readPageRequest(request)
  // An export is many requests. The audit log names it once.
  if (wanted.after === undefined)
    await writeAudit(services, request.context, 'users.exported', { target: 'without_secrets' })
  const found = await readPage(table, getListing('user', 'id'), wanted, async (entries) => {
    const users = await listUsers(table, getIds(entries))
    // Guests belong to access links, which are not exported.
    return users.map((user) => (user && !isGuestUser(user) ? user : undefined))
  })
  const page = await mapRows(found, async (users) =>
    toExportLines(users, createNameFinder(table), await findDefinitionsFor(table, users)),
  )
  return { status: 200, ...toListReply(request, config, page) }
}
