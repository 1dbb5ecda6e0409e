import type { HoldingRow } from '../../accounts/users/holding-row.ts'
import { holdingsCounted } from '../../kernel/limits/limits.ts'
import type { Table } from '../../kernel/table/table.ts'
import { deleteWorkingLinks } from './delete-link.ts'
import { linkLists } from './index.records.ts'
import type { AccessLinkRecord } from './link.records.ts'
import { isUsable } from './records.ts'
import { linksIn } from './rules.ts'

/** The access links that a user made and that still work, up to `holdingsCounted`. */
export const findWorkingLinks = async (
  table: Table,
  userId: number,
  nowMs: number,
): Promise<readonly AccessLinkRecord[]> => {
  const found: AccessLinkRecord[] = []
  for await (const links of linksIn(table, linkLists.madeBy(userId))) {
    found.push(...links.filter((link) => link.createdBy === userId && isUsable(link, nowMs)))
    if (found.length >= holdingsCounted) break
  }
  return found.slice(0, holdingsCounted)
}

export const accessLink: HoldingRow = {
  count: async ({ table, now }, { id }) => (await findWorkingLinks(table, id, now())).length,
  endRest: (services, { id }, { context, isInTime }) => deleteWorkingLinks(services, id, context, isInTime),
}
