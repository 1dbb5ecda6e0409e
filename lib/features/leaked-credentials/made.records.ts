import { randomBytes } from 'node:crypto'
import { buildSameSessionsStep } from '../../accounts/users/build-user-step.records.ts'
import type { RevokedPeriod, UserRecord } from '../../accounts/users/stored-user.records.ts'
import { organizationInvitationDays, securityReportLifetimeMs } from '../../kernel/limits/limits.ts'
import { madeKey, madePrefix, userKey } from '../../kernel/table/keys/keys.ts'
import { createCodec, decodeListed } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { day, toSeconds } from '../../kernel/util/time.ts'

/*
 * What a user made that belongs to someone else, such as an API token of an organization. Nothing in the record of the user leads there, and
 * the user may have left the organization since. So each gets a note in the partition of its maker, for as long as a link of a security email
 * can undo it, or an invitation can be open.
 */

/** What was made. A report ends it, or shows it to others. */
export type Made =
  | { readonly kind: 'organization_token'; readonly organizationId: number; readonly hash: string }
  | { readonly kind: 'organization_invitation'; readonly invitationId: number }
  | { readonly kind: 'scim_token'; readonly connectionId: number; readonly hash: string }
  | { readonly kind: 'saml_setup'; readonly connectionId: number; readonly linkId: string }
  | {
      readonly kind: 'membership'
      readonly organizationId: number
      readonly memberId: number
      readonly roles: readonly string[]
    }

export type MadeKind = Made['kind']

interface MadeRecord {
  readonly made: Made
  /** Epoch milliseconds. */
  readonly at: number
}

const noteLifetimeMs = Math.max(securityReportLifetimeMs, organizationInvitationDays.longest * day) + day

const codec = createCodec<MadeRecord>('note of what a user made', { made: 'map', at: 'number' })

/** Builds the step that notes what a user makes, for the transaction that makes it. */
export const buildMadeStep = (userId: number, made: Made, nowMs: number): Step => ({
  put: {
    ...madeKey(userId, nowMs, randomBytes(9).toString('base64url')),
    ...codec.encode({ made, at: nowMs }),
    expires_at: toSeconds(nowMs + noteLifetimeMs),
  },
})

/**
 * Builds the same with a check that fails with `EditConflict` if the sessions of the user ended since. So a report misses nothing that is made at
 * the same time.
 */
export const buildMadeSteps = (
  user: Pick<UserRecord, 'id' | 'credentialEpoch'>,
  made: Made,
  nowMs: number,
): readonly Step[] => [
  buildSameSessionsStep(user, () => new EditConflict()),
  buildMadeStep(user.id, made, nowMs),
]

/** What a user made of one kind in a period. */
export const findMade = async <Kind extends MadeKind>(
  table: Table,
  userId: number,
  kind: Kind,
  { from, to }: RevokedPeriod,
): Promise<readonly Extract<Made, { kind: Kind }>[]> =>
  decodeListed(table, codec, await table.list(userKey(userId).pk, madePrefix))
    .filter(({ at }) => at >= from && at <= to)
    .map(({ made }) => made)
    .filter((made): made is Extract<Made, { kind: Kind }> => made.kind === kind)

/** What a user made of one kind in the period that they disowned. */
export const findRevokedMade = async <Kind extends MadeKind>(
  { table }: { readonly table: Table },
  user: UserRecord,
  kind: Kind,
) => (user.revokedCredentials ? findMade(table, user.id, kind, user.revokedCredentials) : [])
