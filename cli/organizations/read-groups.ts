import * as z from 'zod/mini'
import { findGroupIds } from '../../lib/accounts/groups/groups.records.ts'
import { normalizeUsername } from '../../lib/accounts/names/names.ts'
import { getMembersListing } from '../../lib/features/directory/groups/memberships.records.ts'
import { givenRoles } from '../../lib/features/organizations/models.ts'
import type { Entry } from '../../lib/features/user-files/import-file.ts'
import { readJsonLines } from '../../lib/features/user-files/json-lines.ts'
import { toFieldErrors } from '../../lib/kernel/errors/field-error.ts'
import { getIds, readEntryPages } from '../../lib/kernel/table/listing.ts'
import type { Table } from '../../lib/kernel/table/table.ts'
import { omitUndefined } from '../../lib/kernel/util/object-fields.ts'
import { retryThrottled } from '../pool.ts'

const text = z.string().check(z.minLength(1), z.maxLength(255))
const GroupLine = z.strictObject({
  group: text,
  slug: text,
  name: z.optional(text),
  external_id: z.optional(text),
  roles: z.optional(givenRoles),
})

const membersPerPage = 200

/** Reads lines that name a group and the slug of its organization, as lines of the import: the organization and each member. */
export async function* readGroups(chunks: AsyncIterable<Buffer>, table: Table): AsyncGenerator<Entry> {
  for await (const entry of readJsonLines(chunks)) {
    const { line, fields } = entry
    if (!fields) {
      yield entry
      continue
    }
    const parsed = z.safeParse(GroupLine, fields)
    if (!parsed.success) {
      yield { line, fields: undefined, errors: toFieldErrors(parsed.error, fields, 'line') }
      continue
    }
    const { group, slug, name = group, external_id, roles = ['member'] } = parsed.data
    const [id] = await retryThrottled(() => findGroupIds(table, [normalizeUsername(group)]))
    if (id === undefined) {
      yield { line, fields: undefined, errors: [{ field: 'group', message: 'does not exist' }] }
      continue
    }
    yield { line, fields: { name, slug, ...omitUndefined({ external_id }) }, errors: [] }
    for await (const members of readEntryPages(table, getMembersListing(id), membersPerPage))
      for (const user_id of getIds(members))
        yield { line, fields: { organization_slug: slug, user_id, roles }, errors: [] }
  }
}
