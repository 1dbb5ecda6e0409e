import { ConflictError } from '../../kernel/errors/errors.ts'
import { expiredInvitationMs, openInvitationsMax } from '../../kernel/limits/limits.ts'
import { buildDueSteps, type DueItem, readDueItems } from '../../kernel/table/due-items.ts'
import { isAbsent } from '../../kernel/table/expressions.ts'
import { counterKey } from '../../kernel/table/keys/keys.ts'
import {
  delayedInvitationKey,
  delayedInvitationPrefix,
  invitedAddressKey,
  membershipPrefix,
  openInvitationsKey,
  organizationInvitationKey,
  organizationInvitationListing,
  organizationInvitationListPartition,
} from '../../kernel/table/keys/organization-keys.ts'
import { partitions } from '../../kernel/table/keys/partitions.ts'
import type { ListEntry, Listing } from '../../kernel/table/listing.ts'
import { createCodec, findRecord, readListedByIds } from '../../kernel/table/records.ts'
import type { Table } from '../../kernel/table/table.ts'
import { EditConflict, type Step } from '../../kernel/table/transaction.ts'
import { toSeconds } from '../../kernel/util/time.ts'
import type { OrganizationRecord } from './records.ts'

/*
 * An invitation is an item of its own, because the invited person may have no account. A second item with the address makes an
 * organization invite it once, and finds the invitations of an address. A third one says which invitations of an organization are
 * open. It limits them, and forgets expired ones without anyone who counts them. A fourth one leads a job to an invitation whose email
 * waits.
 */

export interface OrganizationInvitationRecord {
  readonly id: number
  readonly organizationId: number
  /** The address that gets the link, and the form in which it is compared. */
  readonly email: string
  readonly normalizedEmail: string
  readonly roles: readonly string[]
  /** Who sent it last, and so answers for its roles. */
  readonly invitedBy: number
  /** The joining of the inviter. Missing for one who is no member. An invitation from before a removal stays without effect. */
  readonly joining?: string | undefined
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly expiresAt: number
  /** How long each link of it works. */
  readonly validMs: number
  /** Changes each time that it is sent. */
  readonly mailId: string
  /** The hash of the credential in the latest link. Missing until it was emailed. */
  readonly hash?: string
  /** Until when its email waits at least, in epoch milliseconds. Missing unless it could not be sent. */
  readonly delayedUntil?: number
}

const codec = createCodec<OrganizationInvitationRecord>('invitation to an organization', {
  id: 'number',
  organizationId: 'number',
  email: 'string',
  normalizedEmail: 'string',
  roles: 'list',
  invitedBy: 'number',
  createdAt: 'number',
  expiresAt: 'number',
  validMs: 'number',
  mailId: 'string',
})

/** The entry of an address that an organization invites. */
interface InvitedAddress {
  readonly id: number
  readonly expiresAt: number
}
const addressCodec = createCodec<InvitedAddress>('invited address', { id: 'number', expiresAt: 'number' })

/** When each open invitation of an organization expires, by its ID. */
interface OpenInvitations {
  readonly open: Readonly<Record<string, number>>
  readonly version: number
}
const openCodec = createCodec<OpenInvitations>('open invitations', { open: 'map', version: 'number' })

export const decodeOrganizationInvitation = codec.decodeOptional

export const findOrganizationInvitation = (
  table: Table,
  id: number,
): Promise<OrganizationInvitationRecord | undefined> =>
  findRecord(table, codec, organizationInvitationKey(id))

/** The invitations of these IDs to show them, in their order. Missing ones are undefined. */
export const readOrganizationInvitations = (
  table: Table,
  ids: readonly number[],
): Promise<readonly (OrganizationInvitationRecord | undefined)[]> =>
  readListedByIds(table, { codec, keyOf: organizationInvitationKey }, ids)

/** The invitations of an organization in order of ID. */
export const getInvitationsListing = (organizationId: number): Listing => ({
  pk: organizationInvitationListPartition(organizationId),
  index: 'listing',
})

/** The entries of an address in order of organization. */
export const getInvitationsOfAddressListing = (normalizedEmail: string): Listing => ({
  pk: `${partitions.invitedAddress}${normalizedEmail}`,
  from: membershipPrefix,
  to: `${membershipPrefix}~`,
})

/** The ID of the latest invitation of an organization to an address. */
export const findInvitedId = async (
  table: Table,
  normalizedEmail: string,
  organizationId: number,
): Promise<number | undefined> =>
  (await findRecord(table, addressCodec, invitedAddressKey(normalizedEmail, organizationId)))?.id

/** The ID of the invitation that an entry of this list names. */
export const readInvitedEntry = ({ item }: ListEntry): number => addressCodec.decode(item).id

const alreadyInvited = () => new ConflictError('already_invited', 'the address has an open invitation')
const tooMany = () => new ConflictError('too_many_invitations', 'the organization has too many invitations')
const changed = () => new EditConflict()

const encodeItem = (invitation: OrganizationInvitationRecord) => ({
  ...codec.encode(invitation),
  ...organizationInvitationKey(invitation.id),
  ...organizationInvitationListing(invitation.organizationId, invitation.id),
  expires_at: toSeconds(invitation.expiresAt + expiredInvitationMs),
})

/**
 * Stores an invitation as it is sent: a new one, or one that was read before and is sent again.
 *
 * @throws ConflictError `already_invited` or `too_many_invitations`
 * @throws EditConflict if another invitation of the organization was sent at the same time, or this one ended
 */
export const sendInvitation = async (
  table: Table,
  organization: OrganizationRecord,
  {
    before,
    fields,
    nowMs,
  }: {
    readonly before: OrganizationInvitationRecord | undefined
    readonly fields: Omit<OrganizationInvitationRecord, 'id' | 'hash' | 'delayedUntil'>
    readonly nowMs: number
  },
  buildSteps: (invitation: OrganizationInvitationRecord) => readonly Step[],
): Promise<OrganizationInvitationRecord> => {
  const { normalizedEmail, expiresAt } = fields
  const addressKey = invitedAddressKey(normalizedEmail, organization.id)
  const openKey = openInvitationsKey(organization.id)
  const [address, open] = await table.getMany([addressKey, openKey])
  const known = addressCodec.decodeOptional(address)
  const isOther = known !== undefined && known.id !== before?.id
  if (isOther && known.expiresAt > nowMs) throw alreadyInvited()
  const stored = openCodec.decodeOptional(open)
  const others = Object.entries(stored?.open ?? {}).filter(
    ([one, endsAt]) => endsAt > nowMs && one !== String(before?.id),
  )
  if (others.length >= openInvitationsMax) throw tooMany()
  const id = before?.id ?? (await table.nextIds(counterKey('organization-invitation'))).first
  const invitation: OrganizationInvitationRecord = { ...fields, id }
  await table.transact([
    {
      put: encodeItem(invitation),
      condition: before ? (x) => `${x.path('mailId')} = ${x.value(before.mailId)}` : isAbsent,
      orElse: changed,
    },
    {
      put: {
        ...addressKey,
        ...addressCodec.encode({ id, expiresAt }),
        expires_at: toSeconds(expiresAt + expiredInvitationMs),
      },
      condition: known ? (x) => `${x.path('id')} = ${x.value(known.id)}` : isAbsent,
      orElse: changed,
    },
    // An expired invitation of the address makes room for the new one.
    ...(isOther ? [{ delete: organizationInvitationKey(known.id) }] : []),
    {
      put: {
        ...openKey,
        ...openCodec.encode({
          open: Object.fromEntries([...others, [String(id), expiresAt]]),
          version: (stored?.version ?? 0) + 1,
        }),
      },
      condition: stored ? (x) => `${x.path('version')} = ${x.value(stored.version)}` : isAbsent,
      orElse: changed,
    },
    ...buildSteps(invitation),
  ])
  return invitation
}

/**
 * Builds the steps that end an invitation as it was read. They fail with `EditConflict` if it ended or was sent again. It is not listed
 * among the open ones once the organization was deleted.
 */
export const buildEndInvitationSteps = (
  { id, organizationId, normalizedEmail, mailId }: OrganizationInvitationRecord,
  { isListed = true }: { readonly isListed?: boolean } = {},
): readonly Step[] => [
  {
    delete: organizationInvitationKey(id),
    condition: (x) => `${x.path('mailId')} = ${x.value(mailId)}`,
    orElse: changed,
  },
  {
    delete: invitedAddressKey(normalizedEmail, organizationId),
    condition: (x) => `${isAbsent(x)} OR ${x.path('id')} = ${x.value(id)}`,
    orElse: changed,
  },
  ...(isListed
    ? [
        {
          update: openInvitationsKey(organizationId),
          changes: (x) => ({
            remove: [x.path('open', String(id))],
            condition: `attribute_exists(${x.path('open')})`,
          }),
          orElse: changed,
        } satisfies Step,
      ]
    : []),
]

/** Ends an invitation as it was read, also one of a deleted organization. @throws EditConflict if it ended or was sent again */
export const endOrganizationInvitation = async (
  table: Table,
  invitation: OrganizationInvitationRecord,
  extraSteps: readonly Step[],
): Promise<void> => {
  // A deleted organization has no list of open invitations.
  const open = await table.get(openInvitationsKey(invitation.organizationId))
  const steps = buildEndInvitationSteps(invitation, { isListed: open !== undefined })
  await table.transact([...steps, ...extraSteps])
}

/** Builds the step that fails with `EditConflict` if an invitation ended or was sent again since it was read. */
export const buildOpenInvitationStep = ({ id, mailId }: OrganizationInvitationRecord): Step => ({
  check: organizationInvitationKey(id),
  condition: (x) => `${x.path('mailId')} = ${x.value(mailId)}`,
  orElse: changed,
})

/** Builds the step by which the mailer stores the hash of a link. Fails if the invitation ended or was sent again. */
export const buildInvitationHashStep = (
  { id, mailId }: OrganizationInvitationRecord,
  hash: string,
): Step => ({
  update: organizationInvitationKey(id),
  changes: (x) => ({
    set: [`${x.path('hash')} = ${x.value(hash)}`],
    condition: `${x.path('mailId')} = ${x.value(mailId)}`,
  }),
  orElse: changed,
})

/** Builds the steps by which the mailer lets an email wait. They fail if the invitation ended or was sent again. */
export const buildDelaySteps = (
  { id, mailId, delayedUntil }: OrganizationInvitationRecord,
  until: number,
): readonly Step[] => [
  {
    update: organizationInvitationKey(id),
    changes: (x) => ({
      set: [`${x.path('delayedUntil')} = ${x.value(until)}`],
      condition: `${x.path('mailId')} = ${x.value(mailId)}`,
    }),
    orElse: changed,
  },
  ...buildDueSteps(delayedInvitationKey, id, delayedUntil ?? null, until),
]

/** The invitations whose emails have waited, first those that wait longest. */
export const readDelayedInvitations = (table: Table, nowMs: number): AsyncGenerator<DueItem> =>
  readDueItems(table, delayedInvitationKey, delayedInvitationPrefix, nowMs)

/** Builds the steps that end the waiting of an email. They fail if the invitation ended or was sent again. */
export const buildEndDelaySteps = ({
  id,
  mailId,
  delayedUntil,
}: OrganizationInvitationRecord): readonly Step[] => [
  {
    update: organizationInvitationKey(id),
    changes: (x) => ({
      remove: [x.path('delayedUntil')],
      condition: `${x.path('mailId')} = ${x.value(mailId)}`,
    }),
    orElse: changed,
  },
  ...buildDueSteps(delayedInvitationKey, id, delayedUntil ?? null, null),
]
