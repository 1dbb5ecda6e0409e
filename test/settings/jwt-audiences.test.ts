import { describe, expect, it } from 'vitest'
import { readJwtAudiences } from '../../lib/kernel/settings/jwt-audiences.ts'

describe('the audiences of JWTs', () => {
  it('are separated by commas and stay as they are', () => {
    expect(readJwtAudiences('')).toEqual([])
    expect(readJwtAudiences('https://Shop.example.com/, urn:example:reports,')).toEqual([
      'https://Shop.example.com/',
      'urn:example:reports',
    ])
  })

  it.each([
    '*',
    'https://*.example.com',
    'two words',
    'naïve',
    'a\u0000',
    'x'.repeat(256),
    'x,'.repeat(501),
    'urn:latchkey:guests:x',
  ])('are refused: %j', (text) => {
    expect(readJwtAudiences(text)).toMatch(/^must /)
  })
})
