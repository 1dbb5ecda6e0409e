import type { EndRow, MergeObstacle, MergeRow } from '../../accounts/users/account-row.ts'
import { findFormerGuestIds, formerGuestsListed } from '../../accounts/users/successors.records.ts'
import { formerGuestKey, formerGuestPrefix, idAtEnd, userKey } from '../../kernel/table/keys/keys.ts'

export const ends: readonly EndRow[] = [{ sk: formerGuestPrefix }]

export const merges: readonly MergeRow[] = [
  {
    sk: formerGuestPrefix,
    /** An account that was replaced before leads to the kept user directly. */
    merge: ({ key }, { keptId }) => {
      const formerId = idAtEnd(key.sk)
      return {
        steps: [
          { delete: key },
          { put: { ...formerGuestKey(keptId, formerId) } },
          {
            update: userKey(formerId),
            changes: (x) => ({ set: [`${x.path('successorId')} = ${x.value(keptId)}`] }),
          },
        ],
      }
    },
  },
]

export const findMergeObstacle: MergeObstacle = async (table, users) => {
  const former = await Promise.all(users.map(({ id }) => findFormerGuestIds(table, id)))
  return former.flat().length > formerGuestsListed - 1
    ? 'These users were merged with too many others.'
    : undefined
}
