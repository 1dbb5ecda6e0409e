import type { OIDCClientPartialUpdate } from '../../lib/contract/models/oidc-clients.ts'
import type { FieldError } from '../../lib/errors/errors.ts'
import { findGroups } from '../../lib/store/directory/groups.ts'
import type { Table } from '../../lib/store/engine/table.ts'
import type { OidcClient } from '../../lib/store/oidc/clients.ts'

/**
 * Returns what is wrong with the groups that a body names. Takes one table call, or none without new groups. A group that the
 * client has already is accepted, so that a body can be sent back after the group was deleted.
 */
export const findGroupErrors = async (
  table: Table,
  { machine_groups: given = [] }: Pick<OIDCClientPartialUpdate, 'machine_groups'>,
  { machineGroups: present = [] }: Pick<OidcClient, 'machineGroups'> = {},
): Promise<readonly FieldError[]> => {
  const found = await findGroups(
    table,
    given.filter((id) => !present.includes(id)),
  )
  const known = [...present, ...found.map(({ id }) => id)]
  return given.flatMap((id, at) => {
    const message =
      given.indexOf(id) < at
        ? 'must not be repeated'
        : known.includes(id)
          ? undefined
          : 'must be the ID of a group'
    return message === undefined ? [] : [{ field: `machine_groups.${at}`, message }]
  })
}
