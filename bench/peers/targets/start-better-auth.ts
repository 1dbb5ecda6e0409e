import { startNodeServer } from '../../load/child-server.ts'
import { jsonRequest, valuePlaceholder } from '../../load/plan.ts'
import { eachPerson, emailOf, password, repeatJob, type Target } from '../../load/scenarios.ts'
import { createPeerFolder } from './peer-folder.ts'
import { peopleSettings, preparePeer } from './prepare-peer.ts'

/** Better Auth: one process, SQLite in a file. */
export const startBetterAuth = async (): Promise<Target> => {
  const { database, remove } = createPeerFolder()
  const child = await startNodeServer('bench/peers/servers/better-auth.mjs', () => ({
    ...peopleSettings,
    DATABASE: database,
  }))
  const { url } = child
  const known = await preparePeer<{ readonly cookie: string; readonly key: string }[]>(url, '/bench/people')
  const headers = { cookie: known[0]?.cookie ?? '', origin: url }
  return {
    name: 'Better Auth',
    roots: [child.pid],
    jobs: {
      'sign-in': repeatJob(
        url,
        eachPerson((at) =>
          jsonRequest('POST', '/api/auth/sign-in/email', {
            headers: { origin: url },
            body: { email: emailOf(at), password },
          }),
        ),
      ),
      'who-am-i': repeatJob(
        url,
        known.map(({ cookie }) => jsonRequest('GET', '/api/auth/get-session', { headers: { cookie } })),
      ),
      'api-token': repeatJob(
        url,
        known.map(({ key }) => jsonRequest('GET', '/bench/key', { headers: { 'x-api-key': key } })),
      ),
      ticket: {
        url,
        expectedStatus: 200,
        plan: async () => ({
          kind: 'exchange',
          first: jsonRequest('GET', '/api/auth/one-time-token/generate', { headers }),
          field: 'token',
          second: jsonRequest('POST', '/api/auth/one-time-token/verify', {
            headers: { origin: url },
            body: { token: valuePlaceholder },
          }),
        }),
      },
      page: repeatJob(url, [
        jsonRequest('GET', '/api/auth/admin/list-users?limit=20&sortBy=id', { headers }),
      ]),
    },
    seed: async (total) => {
      await preparePeer(url, '/bench/seed', { total })
    },
    close: async () => {
      await child.close()
      remove()
    },
  }
}
