import { decreaseCountBy, isPresent } from '../../kernel/table/expressions.ts'
import { scimPartition, scimTokenCountKey, scimTokenPrefix } from '../../kernel/table/keys/scim-keys.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'

/**
 * Builds the steps that delete the tokens which holders of set-up links created. Somebody else takes their place. The steps fail with
 * `EditConflict` if one was deleted since. The transaction has to fail as well if the link created another one.
 */
export const buildSetupTokenEndSteps = async (
  table: Table,
  connectionId: number,
): Promise<readonly Step[]> => {
  const tokens = await table.list(scimPartition(connectionId), scimTokenPrefix)
  const ofLinks = tokens.filter((token) => token['setupLink'] !== undefined)
  if (ofLinks.length === 0) return []
  const orElse = () => new EditConflict()
  return [
    ...ofLinks.map(({ pk, sk }) => ({ delete: { pk, sk }, condition: isPresent, orElse })),
    { update: scimTokenCountKey(connectionId), changes: decreaseCountBy(ofLinks.length) },
  ]
}
