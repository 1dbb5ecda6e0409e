import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { findSuppression, suppressAddress } from '../../lib/accounts/outbox/suppressed-addresses.records.ts'
import { suppressionMs } from '../../lib/kernel/limits/limits.ts'
import { findNextPath } from '../support/next-page.ts'
import { addPerson, addSignedIn } from '../support/people.ts'
import { useService } from '../support/use-service.ts'

const path = '/api/2/suppressed-addresses'
const service = await useService()
const manager = await addSignedIn(service, { permissions: ['users:manage'] })

const list = async (query = '') =>
  (await service.client('GET', path + query, { bearer: manager.bearer })).body
const lift = (key: string, bearer = manager.bearer) => service.client('DELETE', `${path}/${key}`, { bearer })
const suppress = async (address: string, since = Date.now(), reason: 'bounce' | 'complaint' = 'bounce') => {
  await suppressAddress(service.services.table, address, { reason, since, feedbackId: randomUUID() }, [])
  return address
}
const newAddress = () => `ann-${randomUUID()}@example.com`

describe('suppressed addresses', () => {
  it('are listed page by page, newest first, until they end', async () => {
    const now = Date.now()
    const ended = await suppress(newAddress(), now - suppressionMs - 2000)
    const [oldest, middle] = [
      await suppress(newAddress(), now - 20_000),
      await suppress(newAddress(), now - 10_000),
    ]
    const newest = await suppress(newAddress(), now, 'complaint')
    await expect.poll(async () => (await list()).length).toBe(3)
    const all = await list()
    expect(all.map(({ address }: { address: string }) => address)).toEqual([newest, middle, oldest])
    expect(all[0]).toEqual({
      key: expect.stringMatching(/^[\w-]+$/),
      address: newest,
      reason: 'complaint',
      since: new Date(now).toISOString(),
      until: expect.stringMatching(/^20/),
    })
    expect(Date.parse(all[0].until) - now - suppressionMs).toBeLessThan(1000)
    expect(JSON.stringify(all)).not.toContain(ended)
    const first = await service.client('GET', `${path}?limit=2`, { bearer: manager.bearer })
    const next = findNextPath(first.headers) ?? ''
    const { body } = await service.client('GET', next, { bearer: manager.bearer })
    expect([...first.body, ...body]).toEqual(all)
    expect((await list('?ordering=since')).map(({ key }: { key: string }) => key)).toEqual(
      all.map(({ key }: { key: string }) => key).reverse(),
    )
  })

  it('are found by their address, and receive email again', async () => {
    const { user } = await addPerson(service, { email: newAddress() })
    const email = user.email ?? ''
    const expires_at = Math.ceil((Date.now() + 60_000) / 1000)
    const suppression = { reason: 'bounce', since: Date.now(), feedbackId: 'f-1', expires_at }
    await service.services.table.put({ pk: `suppressed#${email}`, sk: 'suppressed', ...suppression })
    const [found, ...others] = await list(`?address=${encodeURIComponent(email.toUpperCase())}`)
    expect(others).toEqual([])
    expect(found).toMatchObject({ address: email, reason: 'bounce' })
    expect((await lift(found.key)).status).toBe(204)
    expect(await findSuppression(service.services.table, email, Date.now())).toBeUndefined()
    expect(await list(`?address=${encodeURIComponent(email)}`)).toEqual([])
    expect((await lift(found.key)).status).toBe(404)
    const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
    const events = await service.client('GET', `/api/2/auth/audit-events?user=${user.id}`, {
      bearer: admin.bearer,
    })
    expect(events.body).toContainEqual(
      expect.objectContaining({
        event: 'mail.suppression_lifted',
        actor: manager.user.id,
        target: 'bounce',
      }),
    )
  })

  it.each(['', '%00', 'not-base64!', Buffer.from('no address').toString('base64url'), 'a'.repeat(2000)])(
    'do not include the key %j',
    async (key) => {
      expect((await lift(key)).status).toBe(404)
    },
  )

  it('of any form in the filter find nothing instead of everything', async () => {
    for (const address of ['a', '@', '%', '*@example.com', 'a@b@c', `${'a'.repeat(300)}@example.com`])
      expect(await list(`?address=${encodeURIComponent(address)}`)).toEqual([])
  })

  it('are lifted once, and by no API token', async () => {
    const address = await suppress(newAddress())
    const [{ key }] = await list(`?address=${encodeURIComponent(address)}`)
    const token = (
      await service.client('POST', '/api/2/api-tokens', { bearer: manager.bearer, body: { name: 'x' } })
    ).body.token
    expect((await lift(key, token)).status).toBe(403)
    const answers = await Promise.all([lift(key), lift(key), lift(key)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404])
  })
})
