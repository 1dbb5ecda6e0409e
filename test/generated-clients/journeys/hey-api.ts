import { createClient, createConfig } from '../generated/hey-api/client/index.ts'
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
} from '../generated/hey-api/sdk.gen.ts'
import { type Findings, findNextCursor, type Given } from './journey.ts'

/** The calls of a developer who uses `@hey-api/openapi-ts`. */
export const runJourney = async ({ url, username, password, otherUser }: Given): Promise<Findings> => {
  const anonymous = createClient(createConfig({ baseUrl: url }))
  const wrong = await login({ client: anonymous, body: { username, password: 'wrong' } })
  const { data: signIn } = await login({ client: anonymous, body: { username, password } })
  if (wrong.error?.code !== 'login_failed' || !signIn)
    throw new Error('The sign-in did not work as documented.')
  const client = createClient(createConfig({ baseUrl: url, auth: signIn.session_key }))

  const me = await getCurrentUser({ client })
  const ticket = await createAuthTicket({ client, body: {} })
  if (!ticket.data) throw ticket.error
  const checked = await checkAuthTicket({ client: anonymous, body: ticket.data })

  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const query = { ordering: 'name', limit: 2, ...(cursor === undefined ? {} : { cursor }) } as const
    const page = await getAllGroups({ client, query })
    pages.push((page.data ?? []).map(({ name }) => name))
    cursor = page.response && findNextCursor(page.response.headers)
  } while (cursor !== undefined)

  const path = { id: otherUser }
  const missing = await getUser({ client, path: { id: 2_147_483_647 } })
  const rejected = await patchUser({ client, path, body: { username: '', gid: 0.5 } })
  const before = await getUser({ client, path })
  if (missing.error?.code !== 'not_found' || rejected.error?.code !== 'invalid_request' || !before.data)
    throw new Error('The answers are not as documented.')
  const after = await updateUser({
    client,
    path,
    body: { ...before.data, full_name: 'Renamed by a client' },
  })

  await logout({ client })
  const { response } = await getCurrentUser({ client })
  return {
    wrongPassword: { code: wrong.error.code, reason: wrong.error.reason },
    username: me.data?.username ?? '',
    ticketUser: checked.data?.username ?? '',
    pages,
    missingUser: missing.error.code,
    wrongFields: rejected.error.errors.map(({ field }) => field).sort(),
    fullNames: [before.data.full_name, after.data?.full_name ?? null],
    statusAfterSignOut: response?.status ?? 0,
  }
}
