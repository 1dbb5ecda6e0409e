import { endOnce, findUserByStart, type LeakRow } from '../../accounts/users/leak-row.ts'
import { buildEndTicketStep, findTicketAndUser } from './records.ts'

export const ticket: LeakRow = {
  end: async (services, context, { subject, hash }) => {
    const found = await findTicketAndUser(services.table, subject, hash)
    if (!found.user || !found.ticket || found.ticket.takenAt !== undefined) return
    if (found.ticket.expiresAt <= services.now()) return
    const end = buildEndTicketStep(found.ticket)
    await endOnce(services, context, { owner: found.user, target: 'auth_ticket', end })
  },
  find: async ({ table }, { subject, hash }) => {
    const found = await findTicketAndUser(table, subject, hash)
    return found.ticket && found.user && { kind: 'auth_ticket', id: null, user: found.user.id }
  },
  findByStart: findUserByStart('auth_ticket'),
}
