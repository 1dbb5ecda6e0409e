import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { getProviderRow, providerRows } from '../../lib/features/connections/oidc/providers/rows.ts'
import {
  getDeclaredProvider,
  nameAccounts,
  namePublicProvider,
  publicProviders,
} from '../../lib/features/connections/public-providers.models.ts'
import { sourceFolders } from '../support/floors.ts'
import { listSources, readImports } from '../support/import-graph.ts'

/* What a provider may is decided in its row. A condition on its name elsewhere would decide it for providers that nobody thought of. */

const declaration = 'lib/features/connections/public-providers.models.ts'
const folder = 'lib/features/connections/oidc/providers/'
const list = `${folder}rows.ts`
const types = [`${folder}provider-row.ts`, `${folder}authority.ts`]

/** Files in which a quoted name is no condition, with what it is instead. */
const namesElsewhere: Readonly<Record<string, string>> = {
  'cli/migrate/social-identities.ts': 'what other systems call the providers, in a list of its own',
}
/** What else has the name `oidc`, by the variable that is compared with it. */
const otherMeanings: Readonly<Record<string, readonly string[]>> = {
  // The kind of a connection.
  'lib/features/connections/organization-sign-in.use-cases.ts': ['kind'],
  'web/organization/sign-in-section.tsx': ['kind'],
  // The protocol of an audit event.
  'web/admin/audit/event-object.tsx': ['protocol'],
  // A function.
  'infra/auth-service.ts': ['name'],
}

const files = sourceFolders.flatMap(listSources).filter((file) => !file.startsWith('lib/client/generated/'))
const outside = files.filter((file) => file !== declaration && !file.startsWith(folder))

const unique = publicProviders.filter((name) => name !== 'oidc').join('|')
const titles = unique.replaceAll(/\b\w/g, (letter) => letter.toUpperCase())
const operator = '(?:===|!==|[!=]=(?!=))'
const conditions: readonly RegExp[] = [
  // A name that means a provider alone.
  new RegExp(`(['"])(?:${unique})\\1`, 'g'),
  new RegExp(`${operator}\\s*\`(?:${unique})\``, 'g'),
  // A row or a declaration that is taken by its name.
  /\b(?:declaredProviders|providerMarks|providerSetups)(?:\.\w+|\[['"`]\w+)/g,
  // A function that asks for the name.
  new RegExp(`\\bis(?:${titles})\\b`, 'gi'),
  // The field itself is only absent or there.
  new RegExp(`\\bpublic_?provider\\)?\\s*${operator}(?!\\s*(?:null|undefined)\\b)\\s*\\S+`, 'gi'),
]
const asOidc =
  /\b(\w+)\)?\s*[!=]==?\s*['"`]oidc['"`]|['"`]oidc['"`]\s*[!=]==?\s*(\w+)|\bcase\s+['"`]oidc['"`]/g

const findConditions = (file: string, text: string): readonly string[] => [
  ...conditions.flatMap((condition) => text.match(condition) ?? []),
  ...[...text.matchAll(asOidc)]
    .filter(([, left, right]) => !otherMeanings[file]?.includes(left ?? right ?? ''))
    .map(([found]) => found),
]

describe('a condition on the name of a provider', () => {
  it('is in no source', () => {
    expect(outside.length).toBeGreaterThan(700)
    const found = outside
      .filter((file) => !Object.hasOwn(namesElsewhere, file))
      .flatMap((file) => findConditions(file, readFileSync(file, 'utf8')).map((text) => `${file}: ${text}`))
    expect(found).toEqual([])
  })

  it.each([
    "provider === 'apple'",
    "['google', provider]",
    'provider === `github`',
    "connection.public_provider === 'oidc'",
    "'oidc' !== provider",
    "switch (x) { case 'oidc': }",
    'connection.public_provider === other',
    'isApple(connection)',
    'isGitHub(connection)',
    'issuer === declaredProviders.google.issuers[0]',
  ])('is found in: %s', (text) =>
    expect(findConditions('lib/features/connections/oidc/fields.ts', text)).not.toEqual([]),
  )

  it.each(["kind === 'oidc'", 'connection.public_provider !== null', "group: 'oidc'"])(
    'is not found in: %s',
    (text) => expect(findConditions('web/organization/sign-in-section.tsx', text)).toEqual([]),
  )
})

describe('the row of a provider', () => {
  const imports = readImports(files)

  it('is imported by the list of rows alone', () => {
    const rows = imports.filter(({ from }) => from === list).map(({ to }) => to)
    const rowFiles = rows.filter((to) => to.startsWith(folder) && !types.includes(to))
    expect(rowFiles.length).toBe(new Set(publicProviders).size)
    expect(imports.filter(({ from, to }) => rowFiles.includes(to) && from !== list)).toEqual([])
    const entered = imports.filter(({ from, to }) => !from.startsWith(folder) && to.startsWith(folder))
    expect(entered.filter(({ to }) => to !== list && !types.includes(to))).toEqual([])
  })

  it('is its own for each provider and for companies', () => {
    const rows = [...publicProviders, null].map((name) => getProviderRow({ public_provider: name }))
    expect(new Set(rows)).toEqual(new Set(providerRows))
    expect(providerRows).toHaveLength(rows.length)
    expect(getProviderRow({})).toBe(getProviderRow({ public_provider: null }))
  })

  it.each(['other', '__proto__', 'constructor', 'toString', ''])('is missing for %j', (name) => {
    const connection = { public_provider: name as never, issuer: 'https://idp.example.com' }
    for (const read of [getProviderRow, getDeclaredProvider])
      expect(() => read(connection)).toThrow('A connection has an unknown provider.')
    for (const read of [nameAccounts, namePublicProvider])
      expect(() => read(connection)).toThrow('A connection has an unknown provider.')
  })

  it('vouches for an address only with a condition on the claims', () => {
    for (const { rules } of providerRows.flatMap(({ authorities }) => authorities))
      expect(rules.every((isMet) => isMet({}))).toBe(false)
  })

  it('of a company, and of any provider of OpenID Connect, vouches for no address', () => {
    for (const name of [null, 'oidc'] as const)
      expect(getProviderRow({ public_provider: name }).authorities).toEqual([])
  })
})
