import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chooseLibraries, fillInCode, readLibraries } from '../../web/admin/apps/libraries.ts'

/* The console shows the lines of docs/libraries.md, with the values of an app. */

const guide = readFileSync('docs/libraries.md', 'utf8')
const libraries = readLibraries(guide)
const facts = {
  issuer: 'https://auth.example.com',
  clientId: '7-abc',
  redirectUri: "https://shop.example/call'back",
  scope: 'openid groups',
}
const codeOf = (name: string): string =>
  (libraries.find((one) => one.name === name)?.parts ?? [])
    .map((part) => (part.kind === 'code' ? fillInCode(part, facts) : ''))
    .join('\n')

it('reads each library of the guide, with code or with settings', () => {
  const listed = [...guide.matchAll(/^\| \[([^\]]+)\]\(#/gm)].map(([, name]) => name)
  expect(libraries.map(({ name }) => name)).toEqual(listed)
  expect(listed).toHaveLength(13)
  for (const { name, parts } of libraries) {
    const shown = parts.filter((part) =>
      part.kind === 'table' ? part.rows.length > 2 && part.rows.flat().every(Boolean) : part.kind === 'code',
    )
    expect([name, shown.length > 0]).toEqual([name, true])
    expect(JSON.stringify(parts)).not.toMatch(/\]\(|oidc-clients" -H/)
  }
})

it('leaves no value of the guide in the code of an app', () => {
  for (const { name } of libraries)
    expect([name, codeOf(name)]).toEqual([
      name,
      expect.not.stringMatching(
        /8080\/|localhost:3000|baseURL: 'http:\/\/localhost:8080|the client_id|openid profile email/,
      ),
    ])
})

it('writes addresses as texts, which are no code', () => {
  expect(codeOf('openid-client')).toContain("const redirectUri = 'https://shop.example/call\\'back'")
  expect(codeOf('oidc-client-ts')).toContain("authority: 'https://auth.example.com'")
})

describe('the libraries of an app', () => {
  const choose = (app: Partial<Parameters<typeof chooseLibraries>[1]>) =>
    chooseLibraries(libraries, {
      type: 'confidential',
      redirect_uris: ['https://shop.example/callback'],
      apis: [],
      ...app,
    }).map(({ name }) => name)

  it('are all that suit it', () => {
    const [server, page] = [choose({ apis: [{}] }), choose({ type: 'public' })]
    expect(page).toEqual(['oidc-client-ts'])
    expect(new Set([...server, ...page])).toEqual(new Set(libraries.map(({ name }) => name)))
    expect(choose({ redirect_uris: [] })).toEqual([])
  })

  it('begin with the one that its address is known by', () => {
    const uri = 'http://localhost:3000/api/auth/callback/latchkey'
    expect(choose({ redirect_uris: [uri] })[0]).toBe('Auth.js and next-auth')
    expect(choose({})[0]).toBe('openid-client')
  })
})
