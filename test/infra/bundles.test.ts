import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Bundle, bundleFunctions, functionNames } from '../../build/bundle/bundle.ts'
import { models } from '../../lib/features/models.ts'
import { operations } from '../../lib/features/operations.ts'
import { reference } from '../../lib/features/pages/reference.prebuilt.ts'
import { findModelText } from '../../lib/kernel/contract/describe.ts'
import { mintCredential } from '../../lib/kernel/secrets/credentials.ts'
import { startGateway } from '../../local/gateway/gateway.ts'
import { clientOf } from '../support/client.ts'
import { sourceFolders } from '../support/floors.ts'
import { startFunction } from './lambda.ts'
import { findInputs, shareBundles } from './shared-bundles.ts'

const otherOutDir = mkdtempSync(join(tmpdir(), 'latchkey-bundles-'))
let outDir: string
let bundles: ReadonlyMap<string, Bundle>

beforeAll(async () => {
  const shared = await shareBundles()
  outDir = shared.folder
  bundles = new Map(shared.bundles.map((bundle) => [bundle.name, bundle]))
})
afterAll(() => rmSync(otherOutDir, { recursive: true }))

/** These start with a client of the SDK, which also searches for credentials. All others sign calls of the table alone. */
const withClients = ['audit-forward', 'first-admin']

/** The source files that a cold start of the function loads. */
const sourcesOf = (name: string): string[] =>
  Object.values(bundles.get(name)?.metafile.outputs ?? {}).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  )

const environment = {
  TABLE_NAME: 'table',
  PUBLIC_URL: 'https://auth.example.com',
  LOG_LEVEL: 'info',
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
}

/** Code that runs before a function and refuses what loads the data of locales, which takes longer than most starts. */
const withoutLocales = `
for (const type of [Number, BigInt, Date, Array])
  type.prototype.toLocaleString = () => { throw new Error('a locale at the start') }
globalThis.Intl = new Proxy(Intl, { get: (_, name) => { throw new Error('Intl.' + String(name) + ' at the start') } })`

describe('a bundle', () => {
  it.each(functionNames())(
    'of %s loads without other files and without the data of locales',
    async (name) => {
      const running = await startFunction(join(outDir, name), {
        ...environment,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(withoutLocales)}`,
      })
      await running.stop()
      expect(running.log()).toBe('')
    },
  )

  it.each(functionNames())('of %s contains no unused libraries', (name) => {
    const sdk = '|credential-provider-(?!node)|nested-clients|token-providers'
    const unwanted = new RegExp(
      `mnemonist|obliterator|zod/v4/(classic|locales)${withClients.includes(name) ? '' : sdk}`,
    )
    expect(findInputs(sourcesOf(name), unwanted)).toEqual([])
  })

  it('starts with few files, because each has to be found and opened', () => {
    for (const { name, metafile } of bundles.values())
      expect(Object.keys(metafile.outputs).length, name).toBeLessThanOrEqual(4)
  })

  it('copies no modules of Node at the start, apart from those that libraries import as a whole', () => {
    for (const name of functionNames().filter((one) => !withClients.includes(one)))
      expect(
        sourcesOf(name).filter((path) => /^builtin:(?!(crypto|timers|url|querystring)$)/.test(path)),
        name,
      ).toEqual([])
  })

  it('starts without password hashes, which are only in functions with passwords', () => {
    const isHash = (path: string) => path.includes('bcryptjs/')
    const hashing = functionNames().filter((name) =>
      Object.keys(bundles.get(name)?.metafile.inputs ?? {}).some(isHash),
    )
    expect(hashing).toContain('sessions')
    // The functions of what every page of a product asks for have less memory.
    for (const name of ['tickets', 'unmatched', 'users']) expect(hashing).not.toContain(name)
    // An import checks the hashes of its file before anything else.
    expect(functionNames().filter((name) => sourcesOf(name).some(isHash))).toEqual(['user-files'])
  })

  it('starts without code for second factors', () => {
    for (const name of functionNames())
      expect(findInputs(sourcesOf(name), /client-kms|otpauth|kms-(vault|signer)|local-keys/)).toEqual([])
  })

  it('loads the provider of OpenID Connect when it is needed', () => {
    const inputs = Object.keys(bundles.get('oidc')?.metafile.inputs ?? {})
    const library = /node_modules\/(oidc-provider|koa|light-my-request)\//
    expect(inputs.filter((path) => library.test(path))).not.toEqual([])
    for (const name of functionNames())
      expect(sourcesOf(name).filter((path) => library.test(path))).toEqual([])
    // The library, the client of KMS with its part of the SDK, what few clients ask for, the caller of hooks, and the pages about
    // errors with their messages in each language.
    expect(bundles.get('oidc')?.lazyBytes).toBeLessThanOrEqual(1510 * 1024)
  })

  it('starts with nothing of the SDK', () => {
    for (const name of functionNames().filter((one) => !withClients.includes(one)))
      expect(findInputs(sourcesOf(name), /@aws-sdk\/|@smithy\//), name).toEqual([])
  })

  it('knows which methods each path has without the declarations of operations', () => {
    expect(findInputs(sourcesOf('unmatched'), /lib\/.*\bmodels\.ts$|lib\/.*\boperations\.ts$|zod/)).toEqual(
      [],
    )
  })

  it('starts without code for sending email', () => {
    const inputs = (name: string) => Object.keys(bundles.get(name)?.metafile.inputs ?? {})
    const sending = functionNames().filter((name) =>
      inputs(name).some((path) => path.includes('client-ses/')),
    )
    expect(sending).toContain('mailer')
    for (const name of functionNames())
      expect(sourcesOf(name).filter((path) => path.includes('client-ses/'))).toEqual([])
  })

  it('starts without code for password policies', () => {
    const engines = functionNames().filter(
      (name) => findInputs(sourcesOf(name), /re2js|zxcvbn|levenshtein/).length > 0,
    )
    expect(engines).toEqual([])
    for (const name of ['sessions', 'users'])
      expect(
        findInputs(
          sourcesOf(name),
          /lib\/features\/passwords\/(?!reset-tokens|password-policy|policy\.records|breach-at-sign-in|legacy\/take-over-password)/,
        ),
      ).toEqual([])
  })

  it('starts without code for XML signatures', () => {
    const inputs = Object.keys(bundles.get('connection-flow')?.metafile.inputs ?? {})
    expect(inputs.filter((path) => path.includes('xml-crypto/'))).not.toEqual([])
    for (const name of functionNames())
      expect(findInputs(sourcesOf(name), /xml-crypto|xmldom|\/xpath\//)).toEqual([])
  })

  it('serves the pages of the source code, built, and holds nothing that builds them', async () => {
    const running = await startFunction(join(outDir, 'pages'), environment)
    const { shell, pages } = reference
    const paths = { '/docs': pages[''], '/docs/tickets': pages['tickets'] }
    const gateway = await startGateway({
      port: 0,
      routes: ['/docs', '/docs/{topic}'].map((path) => ({ routeKey: `GET ${path}`, target: 'pages' })),
      invoke: (_, event) => running.invoke(event),
    })
    for (const [path, { content } = { content: 'a page' }] of Object.entries(paths)) {
      const answer = await clientOf(gateway.url)('GET', path)
      expect(answer.text).toContain(content.replaceAll('http://localhost:3000', environment.PUBLIC_URL))
      expect(answer.headers.get('content-security-policy')).toBe(shell.headers['content-security-policy'])
    }
    await gateway.close()
    await running.stop()
    for (const name of functionNames())
      expect(findInputs(sourcesOf(name), /esbuild|build\/pages/)).toEqual([])
  })

  it('starts without the library for JWTs if callers may use sessions', () => {
    const inputs = Object.keys(bundles.get('authorizer')?.metafile.inputs ?? {})
    expect(inputs.filter((path) => path.includes('/jose/'))).not.toEqual([])
    expect(sourcesOf('authorizer').filter((path) => path.includes('/jose/'))).toEqual([])
  })

  it('contains no texts of the OpenAPI document, apart from the finished document in one of them', () => {
    const inputs = (name: string) => Object.keys(bundles.get(name)?.metafile.inputs ?? {})
    // The bundler reads the texts before it leaves them out.
    const parts = /lib\/kernel\/contract\/descri(be\.ts|ptions)|lib\/open-api|build\/reference|markdown-it/
    for (const name of functionNames()) {
      expect(findInputs(inputs(name), /lib\/open-api|markdown-it/)).toEqual([])
      expect(findInputs(sourcesOf(name), parts), name).toEqual([])
    }
    const withDocument = functionNames().filter((name) =>
      inputs(name).some((path) => path.endsWith('open-api.prebuilt.ts')),
    )
    expect(withDocument).toEqual(['pages'])
    expect(findInputs(sourcesOf('pages'), /(open-api|reference)\.prebuilt\.ts$/)).toEqual([])
  })

  it.each(functionNames().filter((name) => name !== 'pages'))(
    'of %s describes no operation and no model',
    (name) => {
      const described = [
        ...operations.map(({ text }) => text?.()),
        ...[...models.values()].map(findModelText),
      ]
      const texts = described
        .map((text) => text?.description.split(/[`\n'"]/)[0] ?? '')
        .filter((text) => text.length > 30)
      expect(texts.length).toBeGreaterThan(100)
      const files = readdirSync(join(outDir, name)).filter((file) => file.endsWith('.mjs'))
      const code = files.map((file) => readFileSync(join(outDir, name, file), 'utf8')).join('\n')
      expect(texts.filter((text) => code.includes(text))).toEqual([])
    },
  )

  it('contains the client of EventBridge only in the function that forwards audit events', () => {
    const containing = functionNames().filter((name) =>
      sourcesOf(name).some((path) => path.includes('client-eventbridge/')),
    )
    expect(containing).toEqual(['audit-forward'])
  })

  it('starts without the library for passkeys, which only functions that verify or import them contain', () => {
    const inputs = (name: string) => Object.keys(bundles.get(name)?.metafile.inputs ?? {})
    const containing = functionNames().filter((name) =>
      inputs(name).some((path) => path.includes('@simplewebauthn/')),
    )
    expect(containing).toEqual(['invitations', 'passkeys', 'user-files'])
    for (const name of containing) expect(findInputs(sourcesOf(name), /simplewebauthn|peculiar/)).toEqual([])
  })

  it('starts without node-saml, which only responses that passed every other check need', () => {
    const inputs = Object.keys(bundles.get('connection-flow')?.metafile.inputs ?? {})
    expect(inputs.filter((path) => path.includes('node-saml/lib/'))).not.toEqual([])
    for (const name of functionNames())
      expect(findInputs(sourcesOf(name), /node-saml|xml2js|xml-encryption/)).toEqual([])
  })

  it('has the same bytes in every folder and does not reveal the folder', async () => {
    const names = ['tickets', 'sessions', 'pages', 'connection-flow']
    await bundleFunctions({ outDir: otherOutDir, groups: names })
    for (const file of names.flatMap((name) => [join(name, 'index.mjs'), join(name, 'index.mjs.map')])) {
      const text = readFileSync(join(outDir, file), 'utf8')
      expect(readFileSync(join(otherOutDir, file), 'utf8')).toBe(text)
      for (const place of [process.cwd(), homedir(), tmpdir()]) expect(text).not.toContain(`${place}/`)
    }
  })

  it('is in a zip file with the same bytes in every time zone', () => {
    const script = `import { bundleFunctions } from './build/bundle/bundle.ts'
      await bundleFunctions({ outDir: process.argv[1], groups: ['tickets'], hasFolders: false })`
    const outputs = ['Pacific/Kiritimati', 'America/St_Johns'].map((TZ) => {
      const folder = join(otherOutDir, TZ)
      const args = ['--input-type=module', '-e', script, folder]
      execFileSync(process.execPath, args, { env: { ...process.env, TZ } })
      return readFileSync(join(folder, 'tickets.zip'))
    })
    const zip = readFileSync(join(outDir, 'tickets.zip'))
    expect(outputs.map((other) => other.equals(zip))).toEqual([true, true])
    const names = Object.keys(unzipSync(zip))
    expect(names).toEqual(readdirSync(join(outDir, 'tickets')).sort())
  })

  it('has the same bytes if node_modules is a link to another folder', () => {
    const root = join(otherOutDir, 'linked')
    for (const part of [...sourceFolders, 'package.json', 'tsconfig.json'])
      cpSync(part, join(root, part), { recursive: true })
    symlinkSync(resolve('node_modules'), join(root, 'node_modules'))
    const script = `import { bundleFunctions } from './build/bundle/bundle.ts'
      await bundleFunctions({ outDir: 'out', groups: ['tickets'] })`
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
    const filesOf = (folder: string) =>
      Object.fromEntries(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
    expect(filesOf(join(root, 'out', 'tickets'))).toEqual(filesOf(join(outDir, 'tickets')))
  })

  it('names source files and lines in the log of an error', async () => {
    const running = await startFunction(join(outDir, 'tickets'), {
      ...environment,
      TABLE_NAME: 'no-such-table',
      DYNAMODB_ENDPOINT: process.env['DYNAMODB_ENDPOINT'] ?? '',
    })
    const route = { routeKey: 'POST /api/2/auth/ticket/check', target: 'tickets' }
    const gateway = await startGateway({
      port: 0,
      routes: [route],
      invoke: (_, event) => running.invoke(event),
    })
    const { value: ticket } = mintCredential('auth_ticket', 1)
    const { status } = await clientOf(gateway.url)('POST', '/api/2/auth/ticket/check', { body: { ticket } })
    await gateway.close()
    await running.stop()
    expect(status).toBe(500)
    expect(running.log()).toMatch(/at \w+.* \(lib\/kernel\/table\/open-table\.ts:\d+:\d+\)/)
    expect(running.log()).toMatch(/at \w+.* \(lib\/features\/tickets\/use-cases\.ts:\d+:\d+\)/)
  })
})
