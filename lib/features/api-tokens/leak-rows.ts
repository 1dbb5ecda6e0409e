import { buildLeakSteps, findUserByStart, type LeakRow } from '../../accounts/users/leak-row.ts'
import { deleteApiToken, findApiTokenAndUser, findChosenOwner } from './records.ts'

export const apiToken: LeakRow = {
  /** Also revokes the tickets that the token created. */
  end: async (services, context, { subject, hash }) => {
    const { token, user } = await findApiTokenAndUser(services.table, subject, hash)
    if (!token || !user) return
    const steps = buildLeakSteps(services, context, user, `api_token:${token.id}`)
    await deleteApiToken(services.table, token, steps)
  },
  find: async ({ table }, { subject, hash }) => {
    const { token, user } = await findApiTokenAndUser(table, subject, hash)
    return token && user && { kind: 'api_token', id: token.id, name: token.name, user: user.id }
  },
  findByStart: findUserByStart('api_token'),
  findChosenOwner,
}
