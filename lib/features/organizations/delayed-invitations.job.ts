import type { RequestContext } from '../../accounts/callers/request-context.ts'
import { buildOutboxStep } from '../../accounts/outbox/outbox.records.ts'
import { EditConflict } from '../../kernel/table/transaction.ts'
import type { Services } from '../../services.ts'
import {
  buildEndDelaySteps,
  findOrganizationInvitation,
  readDelayedInvitations,
} from './invitations.records.ts'

/**
 * Gives the emails of invitations that waited to the mailer again, which sends them or lets them wait once more. One that fails does not
 * affect the others.
 */
export const sendDelayedInvitations = async (
  { table, log, now }: Services,
  context: RequestContext,
  hasTime: () => boolean,
): Promise<{ readonly sent: number }> => {
  let sent = 0
  for await (const { key, id } of readDelayedInvitations(table, now())) {
    if (!hasTime()) break
    try {
      const invitation = await findOrganizationInvitation(table, id)
      // It ended, expired, or was sent again since.
      const isWaiting =
        invitation?.delayedUntil !== undefined &&
        invitation.delayedUntil <= now() &&
        invitation.expiresAt > now()
      if (!isWaiting) {
        await table.transact([{ delete: key }])
        continue
      }
      const { mailId } = invitation
      await table.transact([
        ...buildEndDelaySteps(invitation),
        buildOutboxStep({ kind: 'organization_invitation', invitationId: id, mailId }, context, now()),
      ])
      sent++
    } catch (error) {
      if (!(error instanceof EditConflict))
        log.error('organization_invitation.not_resumed', { invitation: id, error })
    }
  }
  return { sent }
}
