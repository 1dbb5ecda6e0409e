import { describe, expect, it } from 'vitest'
import type { Config } from '../../lib/core/config.ts'
import { buildFlowCookie, mintFlowCookieValue, readFlowCookie } from '../../lib/http/flow-cookie.ts'

const at = (publicUrl: string) => ({ publicUrl }) as Config
const secure = at('https://auth.example.com')
const plain = at('http://127.0.0.1:3000')

describe('the flow cookie of a SAML sign-in', () => {
  it('is sent from other sites over HTTPS, only to SAML paths, and is hidden from scripts', () => {
    expect(buildFlowCookie(secure, 'x')).toBe(
      '__Secure-latchkey-saml=x; Secure; SameSite=None; HttpOnly; Path=/api/2/auth/saml; Max-Age=600',
    )
  })

  it('has no attributes that browsers reject over plain HTTP', () => {
    expect(buildFlowCookie(plain, 'x')).toBe('latchkey-saml=x; HttpOnly; Path=/api/2/auth/saml; Max-Age=600')
  })

  it('is read with the value that it was built with', () => {
    const value = mintFlowCookieValue()
    for (const config of [secure, plain]) {
      const [pair = ''] = buildFlowCookie(config, value).split(';')
      expect(readFlowCookie(config, ['other=1', ` ${pair}`])).toBe(value)
    }
  })

  it('is ignored if it is duplicate, malformed, or named as over plain HTTP', () => {
    const value = mintFlowCookieValue()
    const name = '__Secure-latchkey-saml'
    expect(readFlowCookie(secure, [])).toBeUndefined()
    expect(readFlowCookie(secure, [`${name}=${value}`, `${name}=${mintFlowCookieValue()}`])).toBeUndefined()
    expect(readFlowCookie(secure, [`latchkey-saml=${value}`])).toBeUndefined()
    for (const other of ['', 'x', `${value}x`, `${value.slice(1)}%`])
      expect(readFlowCookie(secure, [`${name}=${other}`])).toBeUndefined()
  })
})
