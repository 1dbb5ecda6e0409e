import { endSession } from '../../accounts/sessions/end-sessions.records.ts'
import { findSessionAndUser } from '../../accounts/sessions/find-sessions.records.ts'
import { buildLeakSteps, findUserByStart, type LeakRow } from '../../accounts/users/leak-row.ts'

export const session: LeakRow = {
  end: async (services, context, { subject, hash }) => {
    const found = await findSessionAndUser(services.table, subject, hash)
    // The session of a disabled user ends, too. It would work again after the user is enabled.
    if (!found.session || !found.user || found.session.expiresAt <= services.now()) return
    const steps = buildLeakSteps(services, context, found.user, `session:${found.session.id}`)
    await endSession(services.table, found.session, steps)
  },
  find: async ({ table }, { subject, hash }) => {
    const found = await findSessionAndUser(table, subject, hash)
    return found.session && found.user && { kind: 'session', id: found.session.id, user: found.user.id }
  },
  findByStart: findUserByStart('session'),
}
