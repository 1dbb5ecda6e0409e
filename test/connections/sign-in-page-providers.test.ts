import { randomUUID } from 'node:crypto'
import { afterAll, expect, it, vi } from 'vitest'
import { createConnection } from '../../lib/features/connections/records.ts'
import { findSamlConnection, samlKind } from '../../lib/features/connections/saml/records.ts'
import { signInOptionsCacheMs } from '../../lib/kernel/limits/limits.ts'
import { makeIdp } from '../support/idp.ts'
import { addProvider, patchProvider, vouchForDomains } from '../support/saml.ts'
import { useService } from '../support/use-service.ts'

/** The connections of a large service. */
const connections = 5000
const service = await useService({}, { sendsMail: false })
const first = await addProvider(service, await makeIdp(), { name: 'First' })
afterAll(() => vi.useRealTimers())

const readPage = async () => {
  // What was read is kept for a moment.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + signInOptionsCacheMs })
  const { text } = await service.client('GET', '/')
  const [, data = '{}'] = /data-page="([^"]*)"/.exec(text) ?? []
  const requests = service.log.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request')
  const page = JSON.parse(data.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  return { page, calls: requests.at(-1).table_calls as number, size: text.length }
}

const addMany = async (count: number, isHidden: boolean): Promise<void> => {
  const { table } = service.services
  const template = await findSamlConnection(table, first.id)
  if (!template) throw new Error('there is no provider to copy')
  const start = 1000 + (isHidden ? 0 : 100_000)
  const add = (at: number) => {
    const name = `Company ${String(at).padStart(5, '0')}`
    const named = { id: start + at, name, normalizedName: name.toLowerCase(), entity_id: randomUUID() }
    return createConnection(table, samlKind, { ...template, ...named, disabled_in_client: isHidden }, [])
  }
  const width = 50
  for (let at = 0; at < count; at += width)
    await Promise.all(Array.from({ length: Math.min(width, count - at) }, (_, index) => add(at + index)))
}

it('follows each change of a provider', async () => {
  const names = async () => (await readPage()).page.providers.map(({ name }: { name: string }) => name)
  expect(await names()).toEqual(['First'])
  await patchProvider(service, first, { name: 'Renamed' })
  expect(await names()).toEqual(['Renamed'])
  await patchProvider(service, first, { disabled_in_client: true })
  expect(await names()).toEqual([])
  await patchProvider(service, first, { disabled_in_client: false, name: 'First' })
  const second = await addProvider(service, await makeIdp(), { name: 'A second' })
  expect(await names()).toEqual(['A second', 'First'])
  await service.client('DELETE', `/api/2/auth/saml/${second.id}`, { bearer: second.admin })
  expect(await names()).toEqual(['First'])
})

it('takes the same calls and shows at most 20 buttons of 5,000 connections, and the field finds the others', async () => {
  const before = await readPage()
  expect(before.page.hasDomains).toBe(false)
  await addMany(connections / 2, true)
  const hidden = await readPage()
  expect({ ...hidden, page: hidden.page.providers }).toEqual({ ...before, page: before.page.providers })
  await addMany(connections / 2, false)
  const { page, calls, size } = await readPage()
  expect(page.providers).toHaveLength(20)
  expect(page.providers[0].name).toBe('Company 00000')
  expect(calls).toBe(before.calls)
  expect(size - before.size).toBeLessThan(2500)
  const { id } = first
  await vouchForDomains(service, { id, admin: first.admin }, ['company.example'])
  expect((await readPage()).page.hasDomains).toBe(true)
  const body = { username: 'ada@company.example' }
  const route = await service.client('POST', '/api/2/auth/sign-in-route', { body })
  expect(route.body.login_url).toContain(`/saml/${id}/sso`)
})
