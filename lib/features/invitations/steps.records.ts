import type { UserInvitation, UserRecord } from '../../accounts/users/stored-user.records.ts'
import { buildUserListing } from '../../accounts/users/user-listing.records.ts'
import { userKey } from '../../kernel/table/keys/keys.ts'
import type { OrElse, Step } from '../../kernel/table/transaction.ts'

/*
 * None of these steps counts as an edit: an administrator who edits the user at the same time must not get a conflict. An
 * edit of the address removes the invitation, and a new epoch of the user ends it.
 */

/**
 * Builds the step that stores an invitation, which ends an earlier one. Fails if the user was changed: their entry in the list
 * says that they are invited, and must not get an earlier name back.
 */
export const buildInviteStep = (user: UserRecord, invitation: UserInvitation, orElse: OrElse): Step => ({
  update: userKey(user.id),
  changes: (x) => ({
    set: [
      `${x.path('invitation')} = ${x.value(invitation)}`,
      `${x.path('lsk')} = ${x.value(buildUserListing({ ...user, invitation }).lsk)}`,
    ],
    condition: [
      `${x.path('version')} = ${x.value(user.version)}`,
      `${x.path('credentialEpoch')} = ${x.value(user.credentialEpoch)}`,
      `${x.path('normalizedEmail')} = ${x.value(user.normalizedEmail)}`,
      user.invitation
        ? `${x.path('invitation', 'id')} = ${x.value(user.invitation.id)}`
        : `attribute_not_exists(${x.path('invitation')})`,
    ].join(' AND '),
  }),
  orElse,
})

/** Builds the step by which the mailer stores the hash of a link. Fails if the invitation ended, or was replaced. */
export const buildInvitationLinkStep = (
  userId: number,
  { id }: UserInvitation,
  link: Required<Pick<UserInvitation, 'hash' | 'madeAt' | 'expiresAt'>>,
  orElse: OrElse,
): Step => ({
  update: userKey(userId),
  changes: (x) => ({
    set: Object.entries(link).map(([name, value]) => `${x.path('invitation', name)} = ${x.value(value)}`),
    condition: `${x.path('invitation', 'id')} = ${x.value(id)} AND attribute_not_exists(${x.path('invitation', 'acceptedAt')})`,
  }),
  orElse,
})

/** Builds the step by which the mailer stores when it sent a link. Fails if the invitation ended, or has another link. */
export const buildInvitationSentStep = (
  userId: number,
  hash: string,
  sentAt: number,
  orElse: OrElse,
): Step => ({
  update: userKey(userId),
  changes: (x) => ({
    set: [`${x.path('invitation', 'sentAt')} = ${x.value(sentAt)}`],
    condition: `${x.path('invitation', 'hash')} = ${x.value(hash)}`,
  }),
  orElse,
})

/**
 * Builds the step that removes an invitation. Fails if it was accepted, removed or replaced. The entry of the user in the list
 * stays: their record says that they have no invitation.
 */
export const buildRevokeInvitationStep = (userId: number, { id }: UserInvitation, orElse?: OrElse): Step => ({
  update: userKey(userId),
  changes: (x) => ({
    remove: [x.path('invitation')],
    condition: `${x.path('invitation', 'id')} = ${x.value(id)} AND attribute_not_exists(${x.path('invitation', 'acceptedAt')})`,
  }),
  orElse,
})
