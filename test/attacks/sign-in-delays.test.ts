import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { pairKey } from '../../lib/kernel/rates/sign-in-delays.ts'
import { loopback, postFrom } from '../support/addressed-client.ts'
import { ageAuthentication } from '../support/age-authentication.ts'
import { costsSince } from '../support/directory.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

/*
 * Wrong passwords make an account wait in one network. Administrators see whom, and can let them in. That must not help
 * attackers: nothing may differ for a name that nobody has, refusals must stay cheap, and a stolen session must not buy guesses.
 */

const service = await useService()
const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })

const read = async (path: string) =>
  (await service.client('GET', `/api/2/${path}`, { bearer: admin.bearer })).body
const send = (address: string, username: string, password = 'a wrong guess') =>
  postFrom(address, `${service.url}/api/2/auth/login`, { username, password })
const failOften = async (address: string, username: string): Promise<void> => {
  for (let at = 0; at < 5; at++) expect((await send(address, username)).status).toBe(401)
  // Seven further failures, without the minutes that they take. The wait is now two minutes.
  await service.services.table.update(pairKey(username, address), (x) => ({
    set: [
      `${x.path('failures')} = ${x.value(12)}`,
      `${x.path('settled')} = ${x.value(12)}`,
      `${x.path('lastAt')} = ${x.value(service.services.now())}`,
    ],
  }))
}
const countWaiting = async () => (await read('rate-limited?name=signInDelays')).length

it('shows the account that must wait and its network, and lets the owner in', async () => {
  const { user, password } = await addPerson(service)
  const here = loopback(1)
  await failOften(here, user.username)
  expect(await countWaiting()).toBe(0)
  expect((await send(here, user.username, password)).status).toBe(429)
  const waits = () => read(`rate-limited?name=signInDelays&user=${user.id}`)
  await expect.poll(async () => (await waits()).length).toBe(1)
  const [wait] = await waits()
  expect(wait).toMatchObject({ user: user.id, user_name: user.username, network: here })
  expect(Date.parse(wait.until)).toBeGreaterThan(Date.now())
  const [refused] = await read(`auth/audit-events?event=login.failed&user=${user.id}`)
  expect(refused).toMatchObject({ outcome: 'too_many_requests', user: user.id, ip: here })

  const lift = () => service.client('DELETE', `/api/2/rate-limited/${wait.key}`, { bearer: admin.bearer })
  await ageAuthentication(service, admin, 60 * 60_000)
  expect((await lift()).body).toMatchObject({ reason: 'reauthentication_required' })
  expect((await send(here, user.username, password)).status).toBe(429)
  await ageAuthentication(service, admin, 0)
  expect((await lift()).status).toBe(204)
  expect((await lift()).status).toBe(404)
  expect((await send(here, user.username, password)).status).toBe(200)
  expect(await waits()).toEqual([])
  const [lifted] = await read(`auth/audit-events?event=rate_limit.lifted&user=${user.id}`)
  expect(lifted).toMatchObject({ actor: admin.user.id, target: `signInDelays ${here}` })
})

it('shows nothing of a wait that is over, and nothing of a name that nobody has', async () => {
  const { user } = await addPerson(service)
  const name = `hunter2-${randomUUID()}`
  for (const username of [user.username, name]) {
    await failOften(loopback(2), username)
    expect((await send(loopback(2), username)).status).toBe(429)
  }
  await expect.poll(countWaiting).toBe(1)
  expect(JSON.stringify(await read('rate-limited'))).not.toContain('hunter2')
  await service.services.table.update(pairKey(user.username, loopback(2)), (x) => ({
    set: [`${x.path('lastAt')} = ${x.value(service.services.now() - 600_000)}`],
  }))
  expect(await countWaiting()).toBe(0)
})

it('takes as many calls for a name that nobody has, and writes nothing for further refusals', async () => {
  const costs = []
  for (const username of [(await addPerson(service)).user.username, `unknown-${randomUUID()}`]) {
    await failOften(loopback(3), username)
    const start = service.log.length
    for (let at = 0; at < 4; at++) expect((await send(loopback(3), username)).status).toBe(429)
    costs.push(costsSince(service, start).map(({ calls }) => calls))
  }
  const [known, unknown] = costs
  // The note is a write. An event of this network can be counted with that of the other name.
  expect(known?.slice(1)).toEqual(unknown?.slice(1))
  expect(new Set(known?.slice(1)).size).toBe(1)
  expect(known?.[0]).toBeGreaterThan(known?.[1] ?? 0)
  expect(unknown?.[0]).toBe(known?.[0])
})

it('counts the refusals of very many accounts together', async () => {
  const { auditRefusal } = await import('../../lib/accounts/events/refusals.ts')
  const at = service.services.now()
  const context = { address: '198.51.100.7', userAgent: '', requestId: 'flood', actor: null, at }
  for (let user = 1001; user < 1081; user++)
    await auditRefusal(service.services, context, 'ticket.refused', { user })
  const events = await read('auth/audit-events?request_id=flood&limit=100')
  expect(events.length).toBeLessThanOrEqual(61)
  expect(events.filter(({ user }: { user: number | null }) => user === null)).toHaveLength(1)
})
