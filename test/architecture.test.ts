import { readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'

/*
 * Who may import whom, held against the import graph that the bundler sees. A room stands above those it imports.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  'lib/core': [],
  'lib/contract': [],
  'lib/secrets': ['lib/core'],
  'lib/store': ['lib/core'],
  'lib/mail': ['lib/core'],
  'lib/saml': ['lib/core'],
  'lib/services.ts': ['lib/core', 'lib/secrets', 'lib/store'],
  'lib/accounts': [
    'lib/core',
    'lib/contract',
    'lib/secrets',
    'lib/store',
    'lib/mail',
    'lib/saml',
    'lib/services.ts',
  ],
  'lib/http': ['lib/core', 'lib/contract', 'lib/store', 'lib/services.ts', 'lib/accounts'],
  functions: [
    'lib/core',
    'lib/contract',
    'lib/secrets',
    'lib/store',
    'lib/mail',
    'lib/saml',
    'lib/services.ts',
    'lib/accounts',
    'lib/http',
    'functions/prebuilt',
  ],
  // Scripts of the pages, which run in browsers.
  'functions/browser': ['lib/core'],
  // Modules that run when a function is bundled.
  'functions/prebuilt': ['infra/pages'],
  'infra/pages': ['lib/http'],
  'infra/local': [
    'lib/core',
    'lib/contract',
    'lib/secrets',
    'lib/store',
    'lib/services.ts',
    'lib/accounts',
    'lib/http',
  ],
  // Tools for the terminal, on a deployed table or on what local mode runs on.
  'infra/cli': [
    'lib/core',
    'lib/contract',
    'lib/secrets',
    'lib/store',
    'lib/services.ts',
    'lib/accounts',
    'infra/local',
  ],
  // The generator of docs/reference, which reads every declaration.
  'infra/docs': ['lib/core', 'lib/contract', 'lib/http', 'lib/saml', 'infra', 'infra/local'],
  // How the stack is made: it knows operations and the shape of the table, and functions by their paths alone.
  infra: ['lib/core', 'lib/contract', 'lib/store'],
}

/** Packages that one place alone may know. */
const keepers: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/client-dynamodb': ['lib/store/engine/table.ts', 'infra/local/dynamodb.ts'],
  '@aws-sdk/lib-dynamodb': ['lib/store/engine/table.ts'],
  '@aws-sdk/client-secrets-manager': ['functions/first-admin/secret.ts', 'functions/first-admin/index.ts'],
  '@aws-sdk/client-kms': ['lib/secrets/kms-vault.ts'],
  '@aws-sdk/client-ses': ['lib/mail/ses.ts'],
  bcryptjs: ['lib/secrets/passwords.ts'],
  'cli-progress': ['infra/cli/progress.ts'],
  'csv-parse': ['infra/cli/csv-rows.ts'],
  re2js: ['lib/accounts/passwords/expressions.ts'],
  '@zxcvbn-ts/core': ['lib/accounts/passwords/strength.ts'],
  jose: ['lib/secrets/jwe.ts'],
  otpauth: ['lib/secrets/totp.ts'],
  'ipaddr.js': ['lib/saml/public-addresses.ts'],
  '@xmldom/xmldom': ['lib/saml/xml/dom.ts'],
  esbuild: ['infra/bundle.ts', 'infra/pages/bundle-browser-files.ts'],
  'xml-crypto': ['lib/saml/xml/canonicalize.ts'],
  '@node-saml/node-saml': ['lib/saml/second-verifier/node-saml.ts'],
  '@peculiar/x509': ['lib/saml/key-pair.ts'],
}

interface Import {
  readonly from: string
  readonly to: string
}
let files: readonly string[] = []
let imports: readonly Import[] = []

const sources = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))

beforeAll(async () => {
  files = ['lib', 'functions', 'infra'].flatMap(sources)
  const { metafile } = await build({
    entryPoints: [...files],
    bundle: true,
    write: false,
    metafile: true,
    outdir: 'unused',
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  })
  imports = Object.entries(metafile.inputs).flatMap(([from, { imports: list }]) =>
    list.map(({ path, original, external }) => ({
      from,
      to: external ? path : normalize(original?.startsWith('.') ? join(dirname(from), original) : path),
    })),
  )
})

const roomOf = (file: string): string => {
  const parts = file.split('/')
  if (file.endsWith('.prebuilt.ts')) return 'functions/prebuilt'
  if (parts[0] === 'functions') return parts.length > 3 ? 'functions/browser' : 'functions'
  if (parts[0] === 'infra') return parts.length > 2 ? parts.slice(0, 2).join('/') : 'infra'
  return parts.slice(0, 2).join('/')
}
const isOurs = (path: string): boolean => /^(lib|functions|infra)\//.test(path)

describe('the rooms of the house', () => {
  it('are all named here', () => {
    expect(files.length).toBeGreaterThan(50)
    expect([...new Set(files.map(roomOf))].sort()).toEqual(Object.keys(mayImport).sort())
  })

  it('import only what stands below them', () => {
    const broken = imports.filter(({ from, to }) => {
      if (!isOurs(to)) return false
      const [room, other] = [roomOf(from), roomOf(to)]
      if (room === 'functions' && other?.startsWith('functions')) return dirname(from) !== dirname(to)
      return room !== other && !mayImport[room]?.includes(other)
    })
    expect(broken).toEqual([])
  })

  it('have no circles', () => {
    const next = new Map(
      files.map((file) => [file, imports.filter(({ from }) => from === file).map(({ to }) => to)]),
    )
    const done = new Set<string>()
    const visit = (file: string, path: readonly string[]): string[] => {
      if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(' -> ')]
      if (done.has(file)) return []
      const found = (next.get(file) ?? []).filter(isOurs).flatMap((to) => visit(to, [...path, file]))
      done.add(file)
      return found
    }
    expect(files.flatMap((file) => visit(file, []))).toEqual([])
  })

  it('keep each of these packages in one place', () => {
    const packageOf = (path: string) =>
      path
        .split('/')
        .slice(0, path.startsWith('@') ? 2 : 1)
        .join('/')
    const strays = imports.filter(({ from, to }) => keepers[packageOf(to)]?.includes(from) === false)
    expect(strays).toEqual([])
  })

  it('contract knows zod/mini alone', () => {
    const known = imports
      .filter(({ from, to }) => roomOf(from) === 'lib/contract' && !isOurs(to))
      .map(({ to }) => to)
    expect([...new Set(known)]).toEqual(['zod/mini'])
  })

  it('page scripts import no packages', () => {
    const packages = imports.filter(({ from, to }) => roomOf(from) === 'functions/browser' && !isOurs(to))
    expect(packages).toEqual([])
  })
})
