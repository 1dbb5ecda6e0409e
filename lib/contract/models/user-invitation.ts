import * as z from 'zod/mini'
import { dateTime, id } from './fields.ts'

/** The invitation of a user, as those who manage users see it. */
export const UserInvitationState = z.strictObject({
  state: z.enum(['pending', 'accepted', 'expired']),
  sent_at: dateTime,
  expires_at: dateTime,
  /** The ID of the inviter, who may have been deleted. */
  invited_by: id,
})
export type UserInvitationState = z.output<typeof UserInvitationState>
