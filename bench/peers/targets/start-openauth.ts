import { startNodeServer } from '../../load/child-server.ts'
import { formRequest, jsonRequest } from '../../load/plan.ts'
import { emailOf, password, repeatJob, type Target } from '../../load/scenarios.ts'
import { peopleSettings, preparePeer } from './prepare-peer.ts'

/** OpenAuth: one process, its store in memory. */
export const startOpenAuth = async (): Promise<Target> => {
  const child = await startNodeServer('bench/peers/servers/openauth.mjs', () => peopleSettings)
  const { url } = child
  const known = await preparePeer<{ readonly cookie: string; readonly access: string }[]>(
    url,
    '/bench/people',
  )
  return {
    name: 'OpenAuth',
    roots: [child.pid],
    jobs: {
      'sign-in': repeatJob(
        url,
        known.map(({ cookie }, at) =>
          formRequest('/password/authorize', { email: emailOf(at), password }, { cookie }),
        ),
        302,
      ),
      'who-am-i': repeatJob(
        url,
        known.map(({ access }) =>
          jsonRequest('GET', '/bench/me', { headers: { authorization: `Bearer ${access}` } }),
        ),
      ),
    },
    close: child.close,
  }
}
