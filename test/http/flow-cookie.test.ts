import { describe, expect, it } from 'vitest'
import { clearFlowCookie, createFlowCookie, readFlowCookies } from '../../lib/http/flow-cookie.ts'
import type { Config } from '../../lib/kernel/settings/config.ts'

const at = (publicUrl: string) => ({ publicUrl }) as Config
const secure = at('https://auth.example.com')
const plain = at('http://127.0.0.1:3000')

/** Starts sign-ins like a browser that keeps every cookie. */
const startMany = (config: Config, count: number) => {
  const jar = new Map<string, string>()
  for (let at = 0; at < count; at++) {
    const { cookie } = createFlowCookie(
      config,
      [...jar].map(([name, value]) => `${name}=${value}`),
    )
    const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(cookie) ?? []
    jar.set(name, value)
  }
  return jar
}

describe('the flow cookie of a SAML sign-in', () => {
  it('is sent from other sites over HTTPS, and neither scripts nor other hosts can set it', () => {
    const { value, cookie } = createFlowCookie(secure, [])
    expect(cookie).toMatch(/^__Host-latchkey-saml-\d=/)
    expect(cookie.slice(cookie.indexOf('=') + 1)).toBe(
      `${value}; Secure; SameSite=None; Path=/; HttpOnly; Max-Age=1200`,
    )
  })

  it('has no attributes that browsers reject over plain HTTP', () => {
    const { value, cookie } = createFlowCookie(plain, [])
    expect(cookie).toMatch(/^latchkey-saml-\d=/)
    expect(cookie.slice(cookie.indexOf('=') + 1)).toBe(`${value}; Path=/; HttpOnly; Max-Age=1200`)
  })

  it('is read with the value that it was built with, and is removed by that value alone', () => {
    for (const config of [secure, plain]) {
      const { value, cookie } = createFlowCookie(config, [])
      const [pair = ''] = cookie.split(';')
      const cookies = ['other=1', ` ${pair}`]
      expect(readFlowCookies(config, cookies)).toEqual([value])
      expect(clearFlowCookie(config, cookies, 'x'.repeat(43))).toEqual([])
      const [cleared = ''] = clearFlowCookie(config, cookies, value)
      expect(cleared).toMatch(new RegExp(`^${pair.split('=')[0]}=; .*Max-Age=0$`))
    }
  })

  it('does not replace those of other tabs, and has a fixed number of names', () => {
    expect(startMany(secure, 2).size).toBe(2)
    expect(startMany(secure, 8).size).toBe(8)
    expect(startMany(secure, 100).size).toBe(8)
  })

  it('is ignored if it is duplicate, malformed, or named as over plain HTTP', () => {
    const { value, cookie } = createFlowCookie(secure, [])
    const [, name = ''] = /^([^=]+)=/.exec(cookie) ?? []
    expect(readFlowCookies(secure, [])).toEqual([])
    expect(readFlowCookies(secure, [`${name}=${value}`, `${name}=${'x'.repeat(43)}`])).toEqual([])
    for (const other of [name.replace('__Host-', ''), name.replace('__Host-', '__Secure-')])
      expect(readFlowCookies(secure, [`${other}=${value}`])).toEqual([])
    for (const other of ['', 'x', `${value}x`, `${value.slice(1)}%`])
      expect(readFlowCookies(secure, [`${name}=${other}`])).toEqual([])
  })
})
