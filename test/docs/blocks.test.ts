import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { transformSync } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { packages } from '../../build/package/packages.ts'
import { examplePassword, exampleUrl } from '../../lib/accounts/example-values.models.ts'
import { models } from '../../lib/features/models.ts'
import { guide } from '../../lib/open-api/guide.ts'
import { createAppleKey } from '../support/apple-upstream.ts'
import { clientOf } from '../support/client.ts'
import { endServices, type LocalService, startService } from '../support/local-service.ts'
import { listPublicExports } from '../support/public-exports.ts'
import { type Block, blocksOf, markdownFiles } from './markdown.ts'
import { listCalls } from './reference-calls.ts'
import { commandsOf, matchesOutput } from './shell-commands.ts'
import { openSession, type ShellSession } from './shell-session.ts'

const run = promisify(execFile)
const documents = markdownFiles().map((file) => ({ file, blocks: blocksOf(file) }))

/** Documents that show how to get the session. */
const firstSteps = ['README.md', 'docs/getting-started.md']

/** The packages and the sources of their entries. Programs in the folder find them in its `node_modules`. */
const entries = Object.values(packages).map(({ name, entry }) => [name, `${entry}.ts`] as const)

let folder: string
let service: LocalService
let environment: Record<string, string>
/** The password that the administrator has after a rescue. */
let chosenPassword: string | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-docs-'))
  linkPackages(folder)
  // What Apple gives to people who create a key.
  writeFileSync(join(folder, 'AuthKey_ABC123DEFG.p8'), await createAppleKey())
  const dataDir = join(folder, 'data')
  service = await startService({ DATA_DIR: dataDir })
  environment = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: dataDir,
    PORT: String(service.port),
    PASSWORD_COST: '4',
    BREACH_ENDPOINT: '',
  }
})
afterAll(async () => {
  await endServices()
  rmSync(folder, { recursive: true })
})

/** Fills `node_modules` with links to the packages of the project, and with our packages as links to their sources. */
const linkPackages = (folder: string): void => {
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@latchkey'), { recursive: true })
  for (const name of readdirSync('node_modules'))
    symlinkSync(resolve('node_modules', name), join(modules, name))
  // Published clients are installed for their tests only.
  symlinkSync(resolve('test/clients/node_modules/elements-sdk'), join(modules, 'elements-sdk'))
  for (const [name, path] of entries) {
    mkdirSync(join(modules, name))
    const manifest = { name, type: 'module', exports: './index.ts' }
    writeFileSync(join(modules, name, 'package.json'), JSON.stringify(manifest))
    symlinkSync(resolve(path), join(modules, name, 'index.ts'))
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'product', type: 'module' }))
}

const checkModel = (name: string, text: string): void => {
  const model = models.get(name)
  if (!model) throw new Error(`there is no model ${name}`)
  z.parse(model, JSON.parse(text))
}

/** Examples are modules: they import, and wait at the top. */
const checkSyntax = (text: string): void => {
  transformSync(text, { loader: 'js', format: 'esm', target: 'esnext' })
}

/** The test of the relying parties runs what is on this page. */
const requireLibraries = (file: string): void => {
  if (file !== 'docs/libraries.md') throw new Error('nothing runs this language')
}

const runScript = async (block: Block, session: ShellSession): Promise<void> => {
  const file = join(folder, 'example.ts')
  writeFileSync(file, block.text.replaceAll('http://localhost:3000', service.url))
  const { stdout } = await run(process.execPath, [file], { env: { ...environment, ...session.variables } })
  const expected = /\/\/ prints: (.*)/.exec(block.text)?.[1]
  if (expected === undefined || !matchesOutput(expected, stdout)) throw new Error(`it printed ${stdout}`)
}

/** What documents other than the first steps begin with: the address and the session of an administrator. */
const signInAsAdmin = async (): Promise<Record<string, string>> => {
  const password = chosenPassword ?? /password (\S+)/.exec(service.stdout())?.[1]
  const send = () =>
    clientOf(service.url)('POST', '/api/2/auth/login', { body: { username: 'admin', password } })
  // The server may close a connection that the blocks of the last document left idle, at the moment when it is used again.
  const { body } = await send().catch(send)
  return { URL: service.url, SESSION: body.session_key }
}

/** Opens the link of a rescue, as its page says. Later documents sign in with the new password. */
const followRescue = async (printed: string): Promise<void> => {
  const [, token] = /\/reset#token=(\S+)/.exec(printed) ?? []
  chosenPassword = `Password after a rescue ${randomUUID()}`
  const body = { token, password: chosenPassword }
  const { status } = await clientOf(service.url)('POST', '/api/2/auth/reset-password', { body })
  if (status !== 204) throw new Error(`The link of the rescue was answered with ${status}`)
}

/** Writes a file that later commands of its document read. */
const writeBlock = ({ text, options }: Block): void =>
  writeFileSync(join(folder, options.get('file') ?? ''), text)

/** What is done with a block of each language. A language without an entry fails the test. */
const runners: Readonly<Record<string, (block: Block, session: ShellSession) => unknown>> = {
  sh: async ({ text }, session) => {
    for (const command of commandsOf(text)) {
      await session.run(command)
      if (command.text.endsWith(' users rescue admin')) await followRescue(session.getLastOutput())
    }
  },
  json: ({ text, options }) => {
    const model = options.get('model')
    return model ? checkModel(model, text) : JSON.parse(text)
  },
  csv: (block) => writeBlock(block),
  jsonl: (block) => writeBlock(block),
  yaml: (block) => writeBlock(block),
  // Type-checked below, all together; those with edits of the source are carried out by the tests with `carry-out.ts`.
  ts: (block, session) => (block.options.has('run') ? runScript(block, session) : undefined),
  // A page or a part of one, which a test with `carry-out.ts` compiles.
  tsx: ({ options }) => {
    if (!options.has('file') && !options.has('into')) throw new Error('it names no file')
  },
  // For browsers and for packages that are not here, so only the syntax is checked.
  js: (block) => {
    checkSyntax(block.text)
    if (block.options.has('file')) writeBlock(block)
  },
  // The test of relying parties runs them.
  python: ({ file }) => requireLibraries(file),
  apache: ({ file }) => requireLibraries(file),
  // Nothing here reads it. `test/configuration/product-function.test.ts` applies its file with its command.
  hcl: ({ text }) => {
    if (!text.includes(' latchkey config apply ')) throw new Error('it does not apply a file')
  },
  // What `npm start` prints.
  text: ({ text }) => {
    const printed = service.stdout().replaceAll(service.url, 'http://localhost:3000')
    for (const line of text.split('\n').filter((one) => one.trim() !== ''))
      if (!printed.split('\n').some((one) => matchesOutput(line, one)))
        throw new Error(`not printed: ${line}`)
  },
  mermaid: ({ text }) => {
    if (!/^(flowchart|sequenceDiagram)\b/.test(text)) throw new Error('unknown kind of diagram')
  },
}

describe('code blocks of the documentation', () => {
  it.each(documents.filter(({ blocks }) => blocks.length > 0))('work in $file', async ({ file, blocks }) => {
    const session = openSession(
      { url: service.url, printed: service.stdout(), folder, environment },
      firstSteps.includes(file) ? {} : await signInAsAdmin(),
    )
    // The tests of the package and of relying parties carry out what begins in an empty folder.
    for (const block of blocks.filter(({ options }) => !options.has('walk'))) {
      const runner = runners[block.language]
      if (!runner) throw new Error(`${file}:${block.line}: no rule for the language "${block.language}"`)
      try {
        await runner(block, session)
      } catch (error) {
        throw new Error(`${file}:${block.line}: ${error instanceof Error ? error.message : error}`)
      }
    }
  })

  it('are walked in an empty folder only where a test does so', () => {
    const walked = documents.filter(({ blocks }) => blocks.some(({ options }) => options.has('walk')))
    expect(walked.map(({ file }) => file).filter((file) => !file.startsWith('docs/frameworks/'))).toEqual([
      'docs/integrate.md',
    ])
  })

  it('in TypeScript have the right types', async () => {
    const blocks = documents
      .flatMap((document) => document.blocks)
      .filter(({ language, options }) => language === 'ts' && !options.has('file') && !options.has('into'))
    for (const { file, line, text } of blocks)
      writeFileSync(join(folder, `block-${file.replaceAll(/\W/g, '-')}-${line}.ts`), `${text}\nexport {}\n`)
    for (const [index, { example }] of listPublicExports().entries())
      writeFileSync(join(folder, `block-example-${index}.ts`), `${example ?? ''}\nexport {}\n`)
    for (const [id, call] of listCalls('typescript'))
      writeFileSync(
        join(folder, `block-call-${id}.ts`),
        call.replace('\nconst answer', '\nexport const answer').replace('\nconst url', '\nexport const url'),
      )
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: resolve('tsconfig.json'),
        compilerOptions: {
          paths: Object.fromEntries(entries.map(([name, path]) => [name, [resolve(path)]])),
        },
        include: ['block-*.ts'],
      }),
    )
    const errors = await run(resolve('node_modules/.bin/tsc'), ['-p', folder]).then(
      () => '',
      ({ stdout }) => stdout,
    )
    expect(blocks.length).toBeGreaterThan(0)
    expect(errors).toBe('')
  })
})

describe('every export of a package', () => {
  it.each(listPublicExports())('has an example: $name of $packageName', ({ example }) => {
    expect(example).toContain('import')
  })
})

describe('the guide of the OpenAPI document', () => {
  it('shows commands that work', async () => {
    const { SESSION: bearer = '' } = await signInAsAdmin()
    const send = clientOf(service.url)
    const person = { username: 'ada', permissions: ['media:access'], groups: [] }
    const { body: ada } = await send('POST', '/api/2/users', { bearer, body: person })
    await send('POST', `/api/2/users/${ada.id}/password`, { bearer, body: { password: examplePassword } })
    const file = join(folder, 'guide.md')
    writeFileSync(file, guide.replaceAll(exampleUrl, 'http://localhost:3000'))
    const session = openSession({ url: service.url, printed: '', folder, environment }, {})
    for (const { language, text } of blocksOf(file)) {
      if (language === 'sh') for (const command of commandsOf(text)) await session.run(command)
      if (language === 'js') checkSyntax(text)
      if (language === 'json') JSON.parse(text)
    }
    expect(session.variables['TICKET']).toMatch(/^lkt_/)
  })
})

describe('the documentation runner', () => {
  it.each([
    ['{"a":1}', '{"a":1}', true],
    ['{"a":1, … }', '{"a":1, "b":2 }', true],
    ['{"a":1}', '{"a":2}', false],
    ['{"a":1', '{"a":1}', false],
    ['HTTP/1.1 204 No Content', 'HTTP/1.1 204 No Content\r\nx: y\r\n', true],
    ['HTTP/1.1 204 No Content', 'HTTP/1.1 404 Not Found\r\n', false],
  ])('compares %s with %s', (expected, actual, isMatch) => {
    expect(matchesOutput(expected, actual)).toBe(isMatch)
  })

  it.each([
    'rm -rf data',
    'npm run nothing',
    'npm run deploy -- -c color=red',
    'aws s3 ls',
    'npx cdk synth',
    'COLOR=red npm start',
  ])('refuses the command %s', async (text) => {
    const session = openSession({ url: '', printed: '', folder, environment }, {})
    await expect(session.run({ text, expected: undefined })).rejects.toThrow(/unknown|no rule/)
  })
})
