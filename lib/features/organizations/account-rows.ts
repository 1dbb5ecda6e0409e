import type { EndRow, MergeRow } from '../../accounts/users/account-row.ts'
import {
  createdOrganizationsKey,
  keptOutPrefix,
  membershipPrefix,
} from '../../kernel/table/keys/organization-keys.ts'
import { auditMembership } from './audit-membership.ts'
import {
  buildEndMembershipSteps,
  buildMoveMembershipSteps,
  findMembership,
  readMembershipEntry,
} from './memberships.records.ts'

const created = createdOrganizationsKey(0).sk

export const ends: readonly EndRow[] = [
  {
    sk: membershipPrefix,
    endsAlone: true,
    buildEnd: (entry, context) => {
      const membership = readMembershipEntry(entry)
      return [...buildEndMembershipSteps(membership), auditMembership(context, { before: membership })]
    },
  },
  { sk: keptOutPrefix },
  { sk: created },
]

export const merges: readonly MergeRow[] = [
  {
    sk: membershipPrefix,
    merge: async (entry, { table, keptId, context }) => {
      const before = readMembershipEntry(entry)
      const { organizationId } = before
      const kept = await findMembership(table, { userId: keptId, organizationId })
      const { after, steps } = buildMoveMembershipSteps(before, keptId, kept)
      return {
        steps: [
          ...steps,
          // The organization learns who left it, and who is in it instead.
          auditMembership(context, { before }),
          auditMembership(context, { before: kept, after }),
        ],
      }
    },
  },
  { sk: keptOutPrefix, merge: 'moves' },
  {
    sk: created,
    // What both created counts, so that a merge makes no room for more.
    merge: ({ key, item }, { keptId }) => ({
      steps: [
        { delete: key },
        { addTo: createdOrganizationsKey(keptId), amounts: { created: Number(item['created'] ?? 0) } },
      ],
    }),
  },
]
