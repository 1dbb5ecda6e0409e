import { invitations } from '../../lib/contract/operations/invitations.ts'
import { createHandler } from '../../lib/http/handler.ts'
import { acceptInvitation } from './accept.ts'
import { acceptInvitationWithPasskey } from './accept-with-passkey.ts'
import { findInvitation } from './find.ts'
import { startInvitationPasskey } from './start-passkey.ts'

export const handler = createHandler(invitations, {
  findInvitation,
  acceptInvitation,
  startInvitationPasskey,
  acceptInvitationWithPasskey,
})
