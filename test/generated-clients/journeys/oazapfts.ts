import {
  checkAuthTicket,
  createAuthTicket,
  getAllGroups,
  getCurrentUser,
  getUser,
  login,
  logout,
  patchUser,
  updateUser,
} from '../generated/oazapfts/api.ts'
import { type Findings, findNextCursor, type Given } from './journey.ts'

/** The calls of a developer who uses `oazapfts`. The status of an answer selects its type. */
export const runJourney = async ({ url, username, password, otherUser }: Given): Promise<Findings> => {
  const anonymous = { baseUrl: url }
  const wrong = await login({ username, password: 'wrong' }, {}, anonymous)
  const signIn = await login({ username, password }, {}, anonymous)
  if (wrong.status !== 401 || signIn.status !== 200)
    throw new Error('The sign-in did not work as documented.')
  const refusal = wrong.data
  if (refusal.code !== 'login_failed') throw new Error('The error is not documented.')
  const options = { baseUrl: url, headers: { authorization: `Bearer ${signIn.data.session_key}` } }

  const me = await getCurrentUser({}, options)
  const ticket = await createAuthTicket({}, options)
  if (me.status !== 200 || ticket.status !== 200) throw new Error('The session does not work as documented.')
  const checked = await checkAuthTicket(ticket.data, {}, anonymous)

  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const query = { ordering: 'name', limit: 2, ...(cursor === undefined ? {} : { cursor }) } as const
    const page = await getAllGroups(query, options)
    if (page.status !== 200) throw new Error('The list does not work as documented.')
    pages.push(page.data.map(({ name }) => name))
    cursor = findNextCursor(page.headers)
  } while (cursor !== undefined)

  const missing = await getUser(2_147_483_647, {}, options)
  const rejected = await patchUser(otherUser, { username: '', gid: 0.5 }, {}, options)
  const before = await getUser(otherUser, {}, options)
  if (missing.status !== 404 || rejected.status !== 400 || before.status !== 200)
    throw new Error('The answers are not as documented.')
  const rejection = rejected.data
  if (rejection.code !== 'invalid_request') throw new Error('The error is not documented.')
  const after = await updateUser(otherUser, { ...before.data, full_name: 'Renamed by a client' }, options)

  await logout(options)
  const { status } = await getCurrentUser({}, options)
  return {
    wrongPassword: { code: refusal.code, reason: refusal.reason },
    username: me.data.username,
    ticketUser: checked.status === 200 ? checked.data.username : '',
    pages,
    missingUser: missing.data.code,
    wrongFields: rejection.errors.map(({ field }) => field).sort(),
    fullNames: [before.data.full_name, after.status === 200 ? after.data.full_name : null],
    statusAfterSignOut: status,
  }
}
