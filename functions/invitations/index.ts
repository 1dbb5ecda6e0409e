import { invitations } from '../../lib/contract/operations/invitations.ts'
import { createGroupHandler } from '../create-group-handler.ts'
import { acceptInvitation } from './accept.ts'
import { acceptInvitationWithPasskey } from './accept-with-passkey.ts'
import { findInvitation } from './find.ts'
import { startInvitationPasskey } from './start-passkey.ts'

export const handler = createGroupHandler(invitations, {
  findInvitation,
  acceptInvitation,
  startInvitationPasskey,
  acceptInvitationWithPasskey,
})
