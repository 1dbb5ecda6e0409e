import { dirname, join, normalize } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { allowedImports, internalFiles } from './support/allowed-imports.ts'
import {
  findCircles,
  type Import,
  listSources,
  parseSpecifiers,
  readImports,
} from './support/import-graph.ts'

/** The only files that may import these packages or their types. */
const packageOwners: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/client-dynamodb': [
    'lib/store/engine/document-client.ts',
    'lib/store/engine/find-account.ts',
    'infra/local/dynamodb.ts',
    'infra/maintenance/table-control.ts',
    'infra/maintenance/run-prepare.ts',
  ],
  '@aws-sdk/lib-dynamodb': ['lib/store/engine/document-client.ts', 'lib/store/engine/table-scan.ts'],
  '@smithy/signature-v4': ['lib/store/engine/sign-call.ts'],
  '@smithy/core/checksum': ['lib/store/engine/sign-call.ts'],
  '@aws-sdk/client-secrets-manager': ['functions/first-admin/secret.ts', 'functions/first-admin/index.ts'],
  '@aws-sdk/client-eventbridge': ['functions/audit-forward/bus-writer.ts'],
  '@aws-sdk/util-dynamodb': ['functions/audit-forward/bus-entry.ts'],
  '@aws-sdk/client-kms': ['lib/secrets/kms-vault.ts', 'lib/secrets/kms-signer.ts'],
  '@aws-sdk/client-ses': ['lib/mail/ses.ts'],
  bcryptjs: ['lib/secrets/passwords.ts'],
  'cli-progress': ['infra/cli/progress.ts'],
  'csv-parse': ['infra/cli/csv-rows.ts'],
  unhomoglyph: ['lib/accounts/common/skeleton.ts'],
  re2js: ['lib/accounts/passwords/expressions.ts'],
  '@zxcvbn-ts/core': [
    'lib/accounts/passwords/strength.ts',
    'functions/pages/kit/new-password/estimate-strength.ts',
  ],
  jose: [
    'lib/middleware/verify-token.ts',
    'lib/oidc/id-token-hint.ts',
    'lib/secrets/jwe.ts',
    'lib/signing-keys/generate-key.ts',
    'lib/tokens/access-token.ts',
    'lib/tokens/verify-access-token.ts',
    'lib/tokens/logout-token.ts',
  ],
  'intl-messageformat': ['lib/i18n/messages.ts'],
  'light-my-request': ['lib/oidc/provider/run-provider.ts'],
  otpauth: ['lib/secrets/totp.ts'],
  'ipaddr.js': ['lib/core/parse-ip-address.ts', 'lib/saml/public-addresses.ts'],
  '@xmldom/xmldom': ['lib/saml/xml/dom.ts', 'lib/saml/xml/canonicalize.ts', 'lib/saml/xml/signature.ts'],
  'markdown-it': ['infra/reference/markdown.ts'],
  esbuild: [
    'infra/bundle.ts',
    'infra/bundle-builtins.ts',
    'infra/bundle-cuts.ts',
    'infra/bundle-direct-imports.ts',
    'infra/bundle-model-names.ts',
    'infra/bundle-prebuilt.ts',
    'infra/bundle-single-start.ts',
    'infra/package/build.ts',
    'infra/package/inline-mail-page.ts',
    'infra/pages/build-app.ts',
    'infra/pages/bundle-browser-files.ts',
  ],
  'xml-crypto': ['lib/saml/xml/canonicalize.ts'],
  '@node-saml/node-saml': ['lib/saml/second-verifier/node-saml.ts'],
  '@simplewebauthn/server': [
    'lib/accounts/passkeys/verify-assertion.ts',
    'lib/accounts/passkeys/verify-registration.ts',
  ],
  '@peculiar/x509': ['lib/saml/key-pair.ts'],
}

/** The packages that run in browsers. */
const pagePackages = ['preact', 'preact/hooks', 'uqr', '@zxcvbn-ts/core', '@zxcvbn-ts/language-common']

const isOurs = (path: string): boolean => /^(lib|functions|infra)\//.test(path)
const files = ['lib', 'functions', 'infra'].flatMap(listSources)
const imports = readImports(files)

/** The entry of `allowedImports` for a file. */
const folderOf = (file: string): string => {
  if (file.endsWith('.prebuilt.ts')) return 'functions/*.prebuilt.ts'
  return file in allowedImports ? file : dirname(file)
}
const between = (list: readonly Import[]): readonly Import[] =>
  list
    .filter(({ to }) => isOurs(to))
    .map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }))
    .filter(({ from, to }) => from !== to)

describe('the table of allowed imports', () => {
  it('lists every folder with sources, and no other', () => {
    expect(files.length).toBeGreaterThan(400)
    expect([...new Set(files.map(folderOf))].sort()).toEqual(Object.keys(allowedImports).sort())
  })

  it('allows no circle of folders', () => {
    const table = Object.entries(allowedImports).flatMap(([from, list]) => list.map((to) => ({ from, to })))
    expect(table.filter(({ to }) => !(to in allowedImports))).toEqual([])
    expect(findCircles(table)).toEqual([])
  })
})

describe('imports', () => {
  it('stay within the table', () => {
    const forbidden = imports.filter((edge) =>
      between([edge]).some(({ from, to }) => !allowedImports[from]?.includes(to)),
    )
    expect(forbidden).toEqual([])
  })

  it('have no circle of files or of folders, not even by types or import()', () => {
    expect(findCircles(imports.filter(({ to }) => isOurs(to)))).toEqual([])
    expect(findCircles(between(imports))).toEqual([])
  })

  it('reach internal files only from the folders that may use them', () => {
    const forbidden = imports.filter(({ from, to }) => {
      const users = internalFiles[to]
      return users !== undefined && !users.some((user) => from.startsWith(`${user}/`))
    })
    expect(Object.keys(internalFiles).filter((file) => !files.includes(file))).toEqual([])
    expect(forbidden).toEqual([])
  })

  it('of a package with an owner are in that file', () => {
    const packageOf = (path: string) =>
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/')
    const forbidden = imports.filter(({ from, to }) => packageOwners[packageOf(to)]?.includes(from) === false)
    expect(forbidden).toEqual([])
  })

  it('of packages in lib/contract are zod/mini alone', () => {
    const packages = imports.filter(({ from, to }) => from.startsWith('lib/contract/') && !isOurs(to))
    expect([...new Set(packages.map(({ to }) => to))]).toEqual(['zod/mini'])
  })

  it('of packages in page scripts are those made for browsers', () => {
    const isPageScript = (file: string): boolean => /^functions\/pages\/[^/]+\//.test(file)
    const packages = imports.filter(({ from, to }) => isPageScript(from) && !isOurs(to)).map(({ to }) => to)
    expect([...new Set(packages)].filter((name) => !pagePackages.includes(name))).toEqual([])
    expect(packages).toContain('preact')
  })
})

describe('the reader of imports', () => {
  it('finds every import that the bundler finds', async () => {
    const { metafile } = await build({
      entryPoints: files,
      bundle: true,
      write: false,
      metafile: true,
      outdir: 'unused',
      platform: 'node',
      format: 'esm',
      packages: 'external',
      jsx: 'preserve',
      logLevel: 'silent',
    })
    const found = new Set(imports.map(({ from, to }) => `${from} -> ${to}`))
    const bundled = Object.entries(metafile.inputs).flatMap(([from, { imports: list }]) =>
      list.map(({ path, original, external }) => {
        const to = original?.startsWith('.') ? normalize(join(dirname(from), original)) : path
        return `${from} -> ${external ? path : to}`
      }),
    )
    expect(bundled.length).toBeGreaterThan(files.length)
    expect(bundled.filter((edge) => !found.has(edge))).toEqual([])
  })

  it.each([
    ["import { a } from './a.ts'", ['./a.ts']],
    ["import type { A } from './a.ts'", ['./a.ts']],
    ["import {\n  a,\n  type B,\n} from './a.ts'", ['./a.ts']],
    ["import * as a from './a.ts'", ['./a.ts']],
    ["import './a.ts'", ['./a.ts']],
    ["export type { A } from './a.ts'", ['./a.ts']],
    ["export * from './a.ts'", ['./a.ts']],
    ["const load = () => import('./a.ts')", ['./a.ts']],
    ["const { a } = await import(\n  './a.ts'\n)", ['./a.ts']],
    ["type A = import('./a.ts').A", ['./a.ts']],
    ["export const a = 'from'\nconst b = \"from './b.ts'\"", []],
  ])('reads %j', (source, specifiers) => {
    expect(parseSpecifiers(source)).toEqual(specifiers)
  })
})

describe('the search for circles', () => {
  const toImports = (...edges: readonly string[]): readonly Import[] =>
    edges.map((edge) => {
      const [from = '', to = ''] = edge.split(' -> ')
      return { from, to }
    })

  it('finds a circle of two, a longer one, and a file that imports itself', () => {
    expect(findCircles(toImports('a -> b', 'b -> a'))).toEqual(['a -> b -> a'])
    expect(findCircles(toImports('a -> b', 'b -> c', 'c -> d', 'd -> b'))).toEqual(['b -> c -> d -> b'])
    expect(findCircles(toImports('a -> a'))).toEqual(['a -> a'])
  })

  it('finds no circle where several paths lead to one file', () => {
    expect(findCircles(toImports('a -> b', 'a -> c', 'b -> d', 'c -> d'))).toEqual([])
  })
})
