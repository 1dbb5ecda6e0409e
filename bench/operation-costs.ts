import { startProxy } from '../test/infra/dynamodb-proxy.ts'
import type { RequestOptions } from '../test/support/client.ts'
import { seedUsers } from '../test/support/directory.ts'
import { bundle, linksPath } from '../test/support/links.ts'
import { addPerson, addSignedIn } from '../test/support/people.ts'
import { startService } from '../test/support/service.ts'
import { type Cost, costMeter } from './cost-meter.ts'

export interface OperationCost extends Cost {
  readonly name: string
}

const ada = { username: 'ada', email: 'ada@example.com', groups: [], permissions: [], fm_bookmarks: [] }

/** Sends requests over HTTP to the real handlers with a real engine, and measures the table calls of each. */
export const measureOperations = async (engine: string): Promise<readonly OperationCost[]> => {
  const meter = costMeter()
  const proxy = await startProxy({ endpoint: engine, onCall: meter.onCall })
  process.env['DYNAMODB_ENDPOINT'] = proxy.url
  // Table calls of the mailer are not part of a request.
  const service = await startService({}, { sendsMail: false })
  const costs: OperationCost[] = []

  const measure = async (name: string, status: number, route: string, options: RequestOptions) => {
    const [method = '', path = ''] = route.split(' ')
    meter.take()
    const answer = await service.client(method, path, options)
    costs.push({ name, ...meter.take() })
    if (answer.status !== status) throw new Error(`${name}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  /** The first request of a session updates the time of last use. Later requests are measured. */
  const warmUp = (bearer: string) => service.client('GET', '/api/2/users/me', { bearer })

  try {
    const { bearer } = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const { user, password } = await addPerson(service)
    await warmUp(bearer)
    await measure('authentication', 200, 'GET /api/2/users/me', { bearer })
    const ticket = await measure('create ticket', 200, 'POST /api/2/auth/ticket', { bearer, body: {} })
    await measure('check ticket', 200, 'POST /api/2/auth/ticket/check', { body: ticket })
    await measure('check ticket, used up', 404, 'POST /api/2/auth/ticket/check', { body: ticket })
    const credentials = { username: user.username, password }
    const signedIn = await measure('login', 200, 'POST /api/2/auth/login', { body: credentials })
    const wrong = { ...credentials, password: 'wrong' }
    await measure('login, wrong password', 401, 'POST /api/2/auth/login', { body: wrong })
    await warmUp(signedIn.session_key)
    const link = await measure('create link', 201, `POST ${linksPath}`, {
      bearer,
      body: { bundles: [bundle()], user: user.id },
    })
    const redeemed = await measure('redeem, as member', 200, `POST ${linksPath}/redeem`, {
      bearer: signedIn.session_key,
      body: { token: link.token },
    })
    const ofLink = { bearer: redeemed.session_key }
    await measure('authentication by link', 200, 'GET /api/2/users/me', ofLink)
    const linkTicket = await measure('create ticket by link', 200, 'POST /api/2/auth/ticket', {
      ...ofLink,
      body: {},
    })
    await measure('check ticket of link', 200, 'POST /api/2/auth/ticket/check', { body: linkTicket })
    await measure('logout', 204, 'POST /api/2/auth/logout', { bearer: signedIn.session_key })
    await measure('get user', 200, `GET /api/2/users/${user.id}`, { bearer })
    await measure('create user', 201, 'POST /api/2/users', { bearer, body: ada })
    const newPassword = { password: 'Another good and long password' }
    await measure('set password', 204, `POST /api/2/users/${user.id}/password`, { bearer, body: newPassword })
    const pageOfUsers = 'GET /api/2/users?limit=20'
    await seedUsers(service, 30, 1_000_000)
    await measure('page of users', 200, pageOfUsers, { bearer })
    await seedUsers(service, 1000, 2_000_000, (at) => ({ username: `more-${at}` }))
    await measure('page of users, of many', 200, pageOfUsers, { bearer })
    return costs
  } finally {
    await service.close()
    await proxy.close()
  }
}
