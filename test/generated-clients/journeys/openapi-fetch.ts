import createClient from 'openapi-fetch'
import type { paths } from '../generated/openapi-fetch/schema.ts'
import { type Findings, findNextCursor, type Given } from './journey.ts'

/** The calls of a developer who uses `openapi-typescript` and `openapi-fetch`. */
export const runJourney = async ({ url, username, password, otherUser }: Given): Promise<Findings> => {
  const anonymous = createClient<paths>({ baseUrl: url })
  const wrong = await anonymous.POST('/api/2/auth/login', { body: { username, password: 'wrong' } })
  const { data: signIn } = await anonymous.POST('/api/2/auth/login', { body: { username, password } })
  if (wrong.error?.code !== 'login_failed' || !signIn)
    throw new Error('The sign-in did not work as documented.')
  const headers = { authorization: `Bearer ${signIn.session_key}` }
  const client = createClient<paths>({ baseUrl: url, headers })

  const me = await client.GET('/api/2/users/me')
  const ticket = await client.POST('/api/2/auth/ticket', { body: {} })
  if (!ticket.data) throw ticket.error
  const checked = await anonymous.POST('/api/2/auth/ticket/check', { body: ticket.data })

  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const query = { ordering: 'name', limit: 2, ...(cursor === undefined ? {} : { cursor }) } as const
    const page = await client.GET('/api/2/groups', { params: { query } })
    pages.push((page.data ?? []).map(({ name }) => name))
    cursor = findNextCursor(page.response.headers)
  } while (cursor !== undefined)

  const params = { path: { id: otherUser } }
  const missing = await client.GET('/api/2/users/{id}', { params: { path: { id: 2_147_483_647 } } })
  const rejected = await client.PATCH('/api/2/users/{id}', {
    params,
    body: { username: '', gid: 0.5 },
  })
  const before = await client.GET('/api/2/users/{id}', { params })
  if (missing.error?.code !== 'not_found' || rejected.error?.code !== 'invalid_request' || !before.data)
    throw new Error('The answers are not as documented.')
  const body = { ...before.data, full_name: 'Renamed by a client' }
  const after = await client.PUT('/api/2/users/{id}', { params, body })

  await client.POST('/api/2/auth/logout')
  const { response } = await client.GET('/api/2/users/me')
  return {
    wrongPassword: { code: wrong.error.code, reason: wrong.error.reason },
    username: me.data?.username ?? '',
    ticketUser: checked.data?.username ?? '',
    pages,
    missingUser: missing.error.code,
    wrongFields: rejected.error.errors.map(({ field }) => field).sort(),
    fullNames: [before.data.full_name, after.data?.full_name ?? null],
    statusAfterSignOut: response.status,
  }
}
