import { afterEach, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../lib/kernel/settings/config.ts'
import { useService } from '../support/use-service.ts'

const service = await useService({
  PUBLIC_URL: 'https://auth.example.com',
  SECURITY_CONTACT: 'mailto:security@example.com',
  SECURITY_CONTACT_UNTIL: '2099-03-31',
})

afterEach(() => {
  vi.useRealTimers()
})

describe('the address for reports of vulnerabilities', () => {
  const get = () => service.client('GET', '/.well-known/security.txt')

  it('is there for anyone, with its last day', async () => {
    const { status, headers, text } = await get()
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain; charset=utf-8$/i)
    expect(text).toBe(
      'Contact: mailto:security@example.com\nExpires: 2099-04-01T00:00:00.000Z\nCanonical: https://auth.example.com/.well-known/security.txt\n',
    )
  })

  it('is a 404 from the day after its last one', async () => {
    const end = Date.parse('2099-04-01T00:00:00.000Z')
    vi.setSystemTime(end - 1)
    expect((await get()).status).toBe(200)
    vi.setSystemTime(end)
    expect((await get()).status).toBe(404)
  })

  it.each([
    'security@example.com',
    'http://example.com/security',
    'https://user@example.com/',
    'mailto:security@example.com?bcc=other@example.com',
    'mailto:security@example.com\nContact: mailto:other@example.com',
    'javascript:alert(1)',
    `https://example.com/${'a'.repeat(500)}`,
  ])('cannot be %j', (contact) => {
    const settings = { TABLE_NAME: 'table', PUBLIC_URL: 'https://auth.example.com' }
    const read = () =>
      readConfig({ ...settings, SECURITY_CONTACT: contact, SECURITY_CONTACT_UNTIL: '2099-03-31' })
    expect(read).toThrow('SECURITY_CONTACT must be an address such as mailto:security@example.com')
  })
})

describe('the licenses of the scripts', () => {
  it('are there for anyone, with the text of each', async () => {
    const { status, headers, text } = await service.client('GET', '/licenses.txt')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toMatch(/^text\/plain; charset=utf-8$/i)
    expect(text).toMatch(/^preact \d+\.\d+\.\d+ \(MIT\)$/m)
    expect(text).toContain('Permission is hereby granted, free of charge')
  })
})
