import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { defaultBranding } from '../../lib/features/branding/brand.models.ts'
import { findBranding } from '../../lib/features/branding/find-branding.ts'
import { unsetBranding } from '../../lib/features/branding/records.ts'
import { brandingCacheMs, brandingReadMs } from '../../lib/kernel/limits/limits.ts'
import { brandingKey } from '../../lib/kernel/table/keys/keys.ts'
import { useService } from '../support/use-service.ts'

const service = await useService()
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => vi.useRealTimers())

const store = (settings: object, products: readonly object[] = []) =>
  service.services.table.put({
    ...brandingKey,
    service: { ...unsetBranding, ...settings },
    products: products.map((product) => ({ ...unsetBranding, ...product })),
    formerLogos: [],
    version: 1,
  })

/** Services whose reads are counted and can be replaced. Each test has its own, and thus its own memory. */
const countReads = (replacement?: () => Promise<undefined>) => {
  const { table } = service.services
  const state = { count: 0, replacement }
  const get: typeof table.get = (key) => {
    state.count += 1
    return state.replacement ? state.replacement() : table.get(key)
  }
  return { services: { ...service.services, table: { ...table, get } }, state }
}

describe('the branding of pages and emails', () => {
  it('is the default until an administrator sets one', async () => {
    expect(await findBranding(countReads().services)).toEqual(defaultBranding)
  })

  it('fills in what a product does not set from the service, and then from the defaults', async () => {
    await store({ product_name: 'Acme', support_url: 'https://acme.example/help' }, [
      { name: 'Videos', product_name: 'Acme Videos', accent_color: '#b91c1c' },
    ])
    const { services } = countReads()
    const acme = { ...defaultBranding, product_name: 'Acme', support_url: 'https://acme.example/help' }
    expect(await findBranding(services)).toEqual(acme)
    expect(await findBranding(services, 'Videos')).toEqual({
      ...acme,
      product_name: 'Acme Videos',
      accent_color: '#b91c1c',
    })
  })

  it.each(['videos', '', '__proto__', 'constructor', 'x'.repeat(10_000)])(
    'is that of the service for the unknown product %.20j',
    async (name) => {
      await store({ product_name: 'Acme' }, [{ name: 'Videos', product_name: 'Acme Videos' }])
      expect((await findBranding(countReads().services, name)).product_name).toBe('Acme')
    },
  )

  it('is read once for many pages, and again after a few seconds', async () => {
    await store({ product_name: 'Acme' })
    const { services, state } = countReads()
    await Promise.all(Array.from({ length: 20 }, () => findBranding(services)))
    await store({ product_name: 'New' })
    vi.setSystemTime(Date.now() + brandingCacheMs - 1)
    expect((await findBranding(services, 'Videos')).product_name).toBe('Acme')
    expect(state.count).toBe(1)
    vi.setSystemTime(Date.now() + 1)
    expect((await findBranding(services)).product_name).toBe('New')
    expect(state.count).toBe(2)
  })

  it('is the last known one while the table fails, without a call for each page', async () => {
    await store({ product_name: 'Acme' })
    const { services, state } = countReads()
    await findBranding(services)
    state.replacement = () => Promise.reject(new Error('unreachable'))
    vi.setSystemTime(Date.now() + brandingCacheMs)
    for (let page = 0; page < 5; page++) expect((await findBranding(services)).product_name).toBe('Acme')
    expect(state.count).toBe(2)
    state.replacement = undefined
    await store({ product_name: 'Back' })
    vi.setSystemTime(Date.now() + brandingCacheMs)
    expect((await findBranding(services)).product_name).toBe('Back')
  })

  it('is the default if the table never answers', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const { services } = countReads(() => new Promise(() => {}))
    const found = findBranding(services)
    await vi.advanceTimersByTimeAsync(brandingReadMs)
    expect(await found).toEqual(defaultBranding)
  })

  it('is the default if the stored item is damaged', async () => {
    await service.services.table.put({ ...brandingKey, service: 'x', products: {}, version: 1 })
    expect(await findBranding(countReads().services)).toEqual(defaultBranding)
  })
})
