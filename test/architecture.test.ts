import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { operations } from '../lib/features/operations.ts'
import { connectionKinds } from '../lib/kernel/contract/connection-kinds.ts'
import { groups, jobs } from '../lib/kernel/contract/group.ts'
import { groupDetailFields } from '../lib/published-clients/group-fields.ts'
import { linkFields, linkPermissions } from '../lib/published-clients/link-fields.ts'
import { publishedClientPermissions } from '../lib/published-clients/permissions.ts'
import { profileFields, userDetailFields, userListParameters } from '../lib/published-clients/user-fields.ts'
import {
  floors,
  internalFiles,
  onlyImports,
  partOf,
  rulesInBrowsers,
  rulesInHooks,
  rulesInStack,
  sourceFolders,
} from './support/floors.ts'
import {
  findCircles,
  type Import,
  listSources,
  parseSpecifiers,
  readImports,
} from './support/import-graph.ts'
import { mutualFeatures } from './support/mutual-features.ts'

/** The only files that may import these packages or their types. */
const packageOwners: Readonly<Record<string, readonly string[]>> = {
  '@aws-sdk/client-dynamodb': [
    'lib/kernel/table/table-scan.ts',
    'lib/kernel/table/account.ts',
    'local/dynamodb.ts',
    'cli/table/run-prepare.ts',
  ],
  '@aws-sdk/lib-dynamodb': ['lib/kernel/table/table-scan.ts'],
  aws4: ['lib/kernel/table/account.ts', 'cli/verify/aws.ts'],
  '@aws-sdk/client-secrets-manager': ['lib/kernel/secrets/secrets-manager.ts'],
  '@aws-sdk/client-eventbridge': ['lib/kernel/util/bus-writer.ts'],
  '@aws-sdk/util-dynamodb': ['lib/features/audit/forward.job.ts'],
  '@aws-sdk/client-kms': ['lib/kernel/secrets/kms-vault.ts', 'lib/kernel/secrets/kms-signer.ts'],
  '@aws-sdk/client-ses': ['lib/features/mail/ses.ts'],
  bcryptjs: ['lib/kernel/secrets/password-hashes.ts'],
  'altcha-lib': ['lib/features/proof-of-work/challenges.ts', 'web/kit/solve-challenge.ts'],
  'cli-progress': ['cli/progress.ts'],
  commander: ['cli/program.ts'],
  'csv-parse': ['lib/features/user-files/csv.ts'],
  unhomoglyph: ['lib/features/directory/names/skeleton.ts'],
  re2js: ['lib/features/passwords/expressions.ts'],
  '@zxcvbn-ts/core': ['lib/features/passwords/strength.ts', 'web/new-password/estimate-strength.ts'],
  jose: [
    'lib/features/connections/oidc/providers/apple-secret.ts',
    'lib/features/connections/oidc/client-keys.ts',
    // Sign-outs of identity providers, which sign them with keys of their own.
    'lib/features/connections/oidc/apple-notification.ts',
    'lib/features/connections/oidc/logout-token.ts',
    // Keys of Microsoft, some of which are for one tenant alone.
    'lib/features/connections/oidc/providers/microsoft-keys.ts',
    'lib/middleware/dpop-proof.ts',
    'lib/middleware/verify-token.ts',
    'lib/features/oauth/client-assertion.ts',
    'lib/features/oauth/logout-request.ts',
    'lib/kernel/secrets/jwe.ts',
    'lib/features/oauth/signing-keys/rotate-keys.ts',
    'lib/features/oauth/tokens/sign-tokens.ts',
    'lib/features/oauth/tokens/verify-access-token.ts',
  ],
  'intl-messageformat': ['lib/kernel/i18n/messages.ts'],
  'light-my-request': ['lib/features/oauth/provider/run-provider.ts'],
  otpauth: ['lib/kernel/secrets/totp.ts'],
  'ipaddr.js': ['lib/kernel/util/parse-ip-address.ts', 'lib/features/connections/ssrf-safe-request.ts'],
  '@xmldom/xmldom': ['lib/features/connections/saml/xml/signature.ts'],
  'markdown-it': ['build/reference/markdown.ts'],
  fflate: ['build/bundle/zip-files.ts'],
  esbuild: [
    'build/bundle/bundle.ts',
    'build/bundle/bundle-builtins.ts',
    'build/bundle/bundle-plugins.ts',
    'build/package/build.ts',
    'build/pages/build-app.ts',
    'build/pages/build-pages.ts',
  ],
  'xml-crypto': ['lib/features/connections/saml/xml/signature.ts'],
  '@node-saml/node-saml': ['lib/features/connections/saml/second-verifier/node-saml.ts'],
  '@simplewebauthn/server': [
    'lib/features/passkeys/prove-passkey.ts',
    'lib/features/passkeys/verify-registration.ts',
  ],
  '@peculiar/x509': ['lib/features/connections/saml/key-pair.ts'],
}

/** The packages that run in browsers. */
const pagePackages = [
  ...['preact', 'preact/hooks', 'uqr', '@zxcvbn-ts/core', '@zxcvbn-ts/language-common'],
  ...['altcha-lib', 'altcha-lib/algorithms/web/pbkdf2'],
]

const isOurs = (path: string): boolean => sourceFolders.some((folder) => path.startsWith(`${folder}/`))
const files = sourceFolders.flatMap(listSources)
const imports = readImports(files)

const floorOf = (part: string): number => floors.findIndex((floor) => floor.includes(part))
/** Modules that are evaluated at build time belong to the build, and their values to the functions that import them. */
const isPrebuilt = (file: string): boolean => file.endsWith('.prebuilt.ts')
const between = imports
  .filter(({ from, to }) => isOurs(to) && !isPrebuilt(from) && !isPrebuilt(to))
  .map(({ from, to }) => ({ from, to, part: partOf(from), target: partOf(to) }))
  .filter(({ part, target }) => part !== target)

describe('the floors', () => {
  it('have a place for every folder, and none for others', () => {
    expect(files.length).toBeGreaterThan(400)
    expect([...new Set(files.map(partOf))].sort()).toEqual(floors.flat().sort())
    expect(
      Object.entries(onlyImports)
        .flat(2)
        .filter((part) => floorOf(part) < 0),
    ).toEqual([])
  })

  it('are imported from above only', () => {
    expect(between.filter(({ part, target }) => floorOf(target) >= floorOf(part))).toEqual([])
  })

  it('are all that some folders may import', () => {
    expect(between.filter(({ part, target }) => onlyImports[part]?.includes(target) === false)).toEqual([])
    expect(between.filter(({ from, to }) => partOf(to) === 'web' && partOf(from) !== 'build')).toEqual([])
    const rules = between.filter(({ part, target }) => part === 'web' && target === 'decided')
    expect(rules.filter(({ to }) => !rulesInBrowsers.some((start) => to.startsWith(start)))).toEqual([])
    const inStack = between.filter(({ part, target }) => part === 'infra' && target === 'decided')
    expect(inStack.filter(({ to }) => !rulesInStack.includes(to))).toEqual([])
    const inHooks = between.filter(({ part, target }) => part === 'lib/hooks' && target === 'decided')
    expect(inHooks.filter(({ to }) => !rulesInHooks.includes(to))).toEqual([])
  })
})

describe('the accounts', () => {
  const isAccount = (file: string): boolean => file.startsWith('lib/accounts/')

  it('say in their folder that they use no feature', () => {
    expect(readFileSync('lib/accounts/README.md', 'utf8')).toBe('`accounts` may use no feature.\n')
  })

  it('use no feature, not even through other files', () => {
    const targets = Map.groupBy(imports, ({ from }) => from)
    const reached = new Set(files.filter(isAccount))
    expect(reached.size).toBeGreaterThan(50)
    for (const file of reached) for (const { to } of targets.get(file) ?? []) reached.add(to)
    expect([...reached].filter((file) => file.startsWith('lib/features/'))).toEqual([])
  })

  it('do nothing on their own: operations, use cases, jobs and pages are of features', () => {
    const accounts = files.filter(isAccount)
    expect(accounts.filter((file) => partOf(file) === 'done' || file.endsWith('operations.ts'))).toEqual([])
  })
})

describe('the features', () => {
  const featureOf = (file: string): string => /^lib\/features\/([\w-]+)\//.exec(file)?.[1] ?? ''
  const features = [...new Set(files.map(featureOf))].filter(Boolean).sort()
  const toPair = (feature: string, target: string): string => `${feature} -> ${target}`
  const pairs = new Set(imports.map(({ from, to }) => toPair(featureOf(from), featureOf(to))))
  const listUsed = (feature: string): readonly string[] =>
    features.filter((target) => target !== feature && pairs.has(toPair(feature, target)))

  it.each(features)('%s says in its folder what it uses', (feature) => {
    const list = listUsed(feature)
      .map((name) => `\`${name}\``)
      .join(', ')
    const line = `\`${feature}\` may use ${list || 'no other feature'}.\n`
    expect(readFileSync(`lib/features/${feature}/README.md`, 'utf8')).toBe(line)
  })

  it('import each other only where a reason is known', () => {
    const both = features.flatMap((feature) =>
      listUsed(feature)
        .filter((target) => pairs.has(toPair(target, feature)))
        .map((target) => ({ name: toPair(feature, target), reverse: toPair(target, feature) })),
    )
    const known = new Set(Object.keys(mutualFeatures))
    expect(both.filter(({ name, reverse }) => !known.has(name) && !known.has(reverse))).toEqual([])
    const names = new Set(both.map(({ name }) => name))
    expect([...known].filter((name) => !names.has(name))).toEqual([])
    // The list may only get shorter, and this number with it.
    expect(known.size).toBe(both.length / 2)
    expect(both.length / 2).toBe(31)
  })
})

describe('the functions', () => {
  const entries = files.filter((file) => file.startsWith('functions/') && file.endsWith('/index.ts'))
  /** What an entry does besides naming its use cases, or its job: statements of its own, and exports other than the handler. */
  const findLogic = (source: string): readonly string[] => {
    const code = source.replaceAll(/^import [\s\S]*? from '.*'$|\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    const names = [...code.matchAll(/\b(?:const|let|function|class|interface|type) (\w+)/g)].map(
      ([, name = '']) => name,
    )
    return [
      ...names.filter((name) => !['handler', 'services'].includes(name)),
      ...(code.match(/\b(?:if|for|while|switch|try|throw|new)\b|\?\?|&&|\|\|/g) ?? []),
    ]
  }

  it('have an entry each, which names their use cases or their job', () => {
    expect(entries.map((file) => file.split('/')[1]).sort()).toEqual([...groups, ...jobs].sort())
    const logic = entries.map((file) => [file, findLogic(readFileSync(file, 'utf8'))])
    expect(logic.filter(([, found]) => found?.length !== 0)).toEqual([])
  })

  it.each([
    ['export const deleteAll = () => 1', ['deleteAll']],
    ['export const handler = async () => {\n  for (const one of []) await one()\n}', ['one', 'for']],
    ["import {\n  a,\n} from './if.ts'\n// if\nexport const handler = createJob(a)", []],
  ])('are found to do more in %j', (source, found) => {
    expect(findLogic(source)).toEqual(found)
  })
})

describe('the pages', () => {
  const start = /^await (startPage\(|new Map\(Object\.entries\(pages\)\))/

  it('start after all parts that they show are defined', () => {
    const starts = files
      .map((file) => ({ file, lines: readFileSync(file, 'utf8').trimEnd().split('\n') }))
      .filter(({ lines }) => lines.some((line) => start.test(line)))
    expect(starts.length).toBeGreaterThan(3)
    const early = starts.filter(({ lines }) => !start.test(lines.at(-1) ?? ''))
    expect(early.map(({ file }) => file)).toEqual([])
  })
})

/** Folders of protocols, and the lists with rows for them. */
const connectionsFolder = 'lib/features/connections/'
const protocolFolders = connectionKinds.map((kind) => `${connectionsFolder}${kind}/`)
const protocolLists = [
  'flow.operations.ts',
  'kinds.models.ts',
  'operations.ts',
  // It brings a connection of each kind.
  'organization-sign-in.use-cases.ts',
  'protocols.ts',
  'refresh.job.ts',
  'sign-in-protocols.part.ts',
].map((name) => connectionsFolder + name)

describe('the protocols of company connections', () => {
  const protocolOf = (file: string) => protocolFolders.find((folder) => file.startsWith(folder))
  const shared = files.filter(
    (file) => file.startsWith(connectionsFolder) && !protocolOf(file) && !protocolLists.includes(file),
  )
  /** What clients see has the names that it always had: words of declarations, such as `start_saml_auth`. */
  const findWords = (text: string): string[] => text.match(/[\w-]*saml[\w-]*/gi) ?? []
  const declared = new Set(
    files
      .filter((file) => partOf(file) === 'declared' || /contract\/audit|rate-limits/.test(file))
      .flatMap((file) => findWords(readFileSync(file, 'utf8')))
      .filter((word) => !/^saml$/i.test(word)),
  )
  const findForeignWords = (text: string) =>
    findWords(
      text.replace(/^import .*|urn:oasis:[\w:.-]+|SAML[\s*]+(?:Core|Profiles|Bindings)\b/gm, ''),
    ).filter((word) => !declared.has(word))

  it('are imported by their lists alone', () => {
    expect(shared.length).toBeGreaterThan(40)
    expect(imports.filter(({ from, to }) => shared.includes(from) && protocolOf(to))).toEqual([])
  })

  it('know nothing of each other', () => {
    const between = imports.filter(({ from, to }) => {
      const [one, other] = [protocolOf(from), protocolOf(to)]
      return one && other && one !== other
    })
    expect(between).toEqual([])
  })

  it('share code without the name of one of them', () => {
    const done = shared.filter((file) => partOf(file) !== 'declared')
    expect(
      done.flatMap((file) => findForeignWords(readFileSync(file, 'utf8')).map((word) => `${file}: ${word}`)),
    ).toEqual([])
  })

  it.each([
    ['const saml = { services }', ['saml']],
    ['interface SamlFlow {}', ['SamlFlow']],
    ['/** A SAML provider. */', ['SAML']],
    ["audit: ['company_account.linked'] // SAML Core 2.7", []],
  ])('are found in: %s', (text, words) => expect(findForeignWords(text)).toEqual(words))
})

/** What the addresses of company connections have in common: `/auth/saml/`. */
const connectionPaths = [
  ...new Set(
    operations.flatMap(({ group, path }) =>
      group === 'connection-flow' && path.includes('{id}') ? [path.replace(/^\/api\/2|\{id\}.*$/g, '')] : [],
    ),
  ),
]

describe('the addresses of company connections', () => {
  const findBuilders = (sources: readonly { readonly file: string; readonly text: string }[]) =>
    sources.flatMap(({ file, text }) => (connectionPaths.some((path) => text.includes(path)) ? [file] : []))

  it('are built by no page: each follows what the API answered', () => {
    const pages = files.filter((file) => file.startsWith('web/'))
    expect(findBuilders(pages.map((file) => ({ file, text: readFileSync(file, 'utf8') })))).toEqual([])
  })

  it.each(['saml/7/sso', 'oidc-connections/7/start'])('are found as %s', (end) => {
    expect(findBuilders([{ file: 'page.tsx', text: `'/api/2/auth/${end}'` }])).toEqual(['page.tsx'])
  })
})

describe('imports', () => {
  it('have no circle of files, not even by types or import()', () => {
    expect(findCircles(imports.filter(({ to }) => isOurs(to)))).toEqual([])
  })

  it('reach internal files only from the folders that may use them', () => {
    const forbidden = imports.filter(({ from, to }) => {
      const users = internalFiles[to]
      return (
        users !== undefined &&
        !users.some((user) => partOf(from) === user || from.startsWith(`${user}/`) || from.endsWith(user))
      )
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

  it('of packages in declarations are zod/mini alone', () => {
    const declaring = ['lib/kernel/contract', 'lib/published-clients', 'declared']
    const packages = imports.filter(({ from, to }) => declaring.includes(partOf(from)) && !isOurs(to))
    expect([...new Set(packages.map(({ to }) => to))]).toEqual(['zod/mini'])
  })

  it('of packages in page scripts are those made for browsers', () => {
    const isPageScript = (file: string): boolean => file.startsWith('web/')
    // Pages show the text of a guide, so that it stands once.
    const isGuide = (file: string): boolean => /^docs\/[\w-]+\.md$/.test(file)
    const packages = imports
      .filter(({ from, to }) => isPageScript(from) && !isOurs(to) && !isGuide(to))
      .map(({ to }) => to)
    expect([...new Set(packages)].filter((name) => !pagePackages.includes(name))).toEqual([])
    expect(packages).toContain('preact')
  })
})

describe('the built-in objects', () => {
  const newer = /\b(?:Object|Map)\.groupBy\(|\bwithResolvers\(|\.transfer(?:ToFixedLength)?\(/

  it('of what the packages run are those of the oldest Node.js', () => {
    const running = files.filter((file) => /^(?:lib|local|cli|functions)\//.test(file))
    expect(running.filter((file) => newer.test(readFileSync(file, 'utf8')))).toEqual([])
    expect('Map.groupBy(users, toName)').toMatch(newer)
  })
})

describe('the words of published clients', () => {
  const isTheirs = (file: string): boolean =>
    file.startsWith('lib/published-clients/') || file.includes('/published-clients.')
  const operationIds = operations.filter(({ tag }) => tag === 'published-clients').map(({ id }) => id)
  const words = [
    ...[userDetailFields, profileFields, userListParameters, groupDetailFields, linkFields].flatMap(
      Object.keys,
    ),
    ...Object.keys(linkPermissions(undefined)),
    ...operationIds,
    ...publishedClientPermissions,
    ...[
      'is_temporary_for_token',
      'link_type',
      'media library',
      'media root',
      '/api/2/media/',
      'shaper',
      'bookmarks',
    ],
  ]
  /** Words with other meanings too: a page, an ID of a sign-in, and a permission that texts use as an example. */
  const common = ['home', 'uid', 'projects:view']
  const forms = [...new Set(words)]
    .filter((word) => !common.includes(word))
    .flatMap((word) => [word, word.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())])
  const anyWord = new RegExp(`(?<!\\w)(${[...new Set(forms)].join('|')})(?!\\w)`, 'g')
  const findWords = (files: readonly string[]) =>
    files.flatMap((file) => {
      const found = readFileSync(file, 'utf8').match(anyWord)
      return found ? [`${file}: ${[...new Set(found)].join(', ')}`] : []
    })
  // The client is generated from the interface, and build renders it.
  const others = files.filter(
    (file) => !isTheirs(file) && !file.startsWith('lib/client/generated/') && !file.startsWith('build/'),
  )

  it('are in their own folder and use cases', () => {
    expect(operationIds.length).toBeGreaterThan(0)
    expect(findWords(files.filter(isTheirs)).length).toBeGreaterThan(3)
  })

  it('occur in no other source', () => {
    expect(findWords(others)).toEqual([])
  })
})

describe('the reader of imports', () => {
  it('finds every import that the bundler finds', async () => {
    const { metafile } = await build({
      entryPoints: files,
      bundle: true,
      // Each module is written once, instead of once per file that imports it.
      splitting: true,
      write: false,
      metafile: true,
      outdir: 'unused',
      platform: 'node',
      format: 'esm',
      packages: 'external',
      jsx: 'preserve',
      loader: { '.md': 'text' },
      logLevel: 'silent',
    })
    const found = new Set(imports.map(({ from, to }) => `${from} -> ${to}`))
    // Pages of the docs are computed with measurements, which have no floor.
    const inputs = Object.entries(metafile.inputs).filter(([from]) => isOurs(from))
    const bundled = inputs.flatMap(([from, { imports: list }]) =>
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
