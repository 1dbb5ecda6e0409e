import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { withAws } from '../../local/aws-environment.ts'
import { type Client, clientOf } from '../../test/support/client.ts'
import { startService } from '../../test/support/local-service.ts'
import { textTable } from '../../test/support/text-table.ts'

const run = promisify(execFile)
const maker = fileURLToPath(new URL('make-hashes.py', import.meta.url))
const packages = join(process.cwd(), 'bench/peers/node_modules')

/** Systems whose own code hashes in Node.js. Their packages are those of the peers. */
const makers: Readonly<Record<string, () => Promise<(password: string) => Promise<string>>>> = {
  'better-auth': async () => (await load('better-auth/dist/crypto/index.mjs')).hashPassword,
  openauth: async () => {
    const hasher = (await load('@openauthjs/openauth/dist/esm/provider/password.js')).ScryptHasher()
    return async (password) => JSON.stringify(await hasher.hash(password))
  },
}

/** Systems whose hashes `make-hashes.py` makes, by the names that it knows. */
const pythonKinds = [...readFileSync(maker, 'utf8').matchAll(/^ {4}"([a-z\d.-]+)": \w/gm)].map(
  ([, name = '']) => name,
)
const kinds = [...pythonKinds, ...Object.keys(makers)]

const load = (path: string) => import(pathToFileURL(join(packages, path)).href)

interface Credentials {
  readonly username: string
  readonly password: string
  readonly password_hash: string
}

async function* makeUsers(kind: string, count: number): AsyncGenerator<Credentials> {
  const make = await makers[kind]?.()
  if (make)
    for (let at = 0; at < count; at++) {
      const password = `lètmein ${at} avec une phrase`
      yield { username: `${kind}-${at}`, password, password_hash: await make(password) }
    }
  else {
    const child = spawn('/usr/bin/python3', [maker, kind, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let at = 0
    for await (const line of createInterface({ input: child.stdout }))
      yield { ...JSON.parse(line), username: `${kind}-${at++}` }
  }
}

/** Requests at a time for one kind. Two kinds run at a time. */
const inFlight = 4
/** Every so many users, a wrong password comes before the right one. */
const wrongEvery = 50

interface Outcome {
  readonly kind: string
  readonly imported: number
  readonly signedIn: number
  readonly wrongRefused: number
  readonly wrongTried: number
  readonly renewed: number
}

const signIn = async (client: Client, username: string, password: string): Promise<number> =>
  (await client('POST', '/api/2/auth/login', { body: { username, password } })).status

/** Imports users of one kind into a new service, and signs all of them in. */
const measureKind = async (kind: string, count: number): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-hashes-'))
  const env = { ...withAws(process.env, { isOwnEngine: true }), DATA_DIR: join(folder, 'data') }
  const runUsers = (...args: readonly string[]) =>
    run(process.execPath, ['cli/latchkey.ts', 'users', ...args], { env, maxBuffer: 2 ** 28 })
  try {
    const users: Credentials[] = []
    for await (const user of makeUsers(kind, count)) users.push(user)
    const source = join(folder, 'users.jsonl')
    writeFileSync(
      source,
      users.map((user) => `${JSON.stringify({ ...user, password: undefined })}\n`).join(''),
    )
    const { stdout } = await runUsers('import', source)
    const service = await startService({
      DATA_DIR: env.DATA_DIR,
      RATE_LIMITS: ['accountFailures', 'addressFailures'].map((name) => `${name}=1000000/60`).join(),
      LOG_LEVEL: 'error',
    })
    const client = clientOf(service.url)
    const counts = { signedIn: 0, wrongRefused: 0, wrongTried: 0 }
    const queue = users.entries()
    const work = async () => {
      for (const [at, { username, password }] of queue) {
        if (at % wrongEvery === 0) {
          counts.wrongTried++
          if ((await signIn(client, username, `${password}.`)) === 401) counts.wrongRefused++
        }
        if ((await signIn(client, username, password)) === 200) counts.signedIn++
      }
    }
    await Promise.all(Array.from({ length: inFlight }, work))
    service.process.kill('SIGTERM')
    await service.exited
    const exported = join(folder, 'export.jsonl')
    await runUsers('export', exported, '--with-secrets')
    const lines = readFileSync(exported, 'utf8').split('\n').filter(Boolean)
    const renewed = lines.filter((line) =>
      JSON.parse(line).password_hash?.startsWith('bcrypt_sha384$'),
    ).length
    const imported = Number(/^([\d,]+) users imported/m.exec(stdout)?.[1]?.replaceAll(',', ''))
    return { kind, imported, ...counts, renewed: renewed - 1 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Imports so many users of each kind of hash into services of their own, signs each user in, and counts whose hash was
 * renewed. Prints each kind when it is done.
 *
 * @param named the kinds to count, or none for all
 */
export const benchHashes = async (count: number, named: readonly string[]): Promise<void> => {
  const unknown = named.filter((name) => !kinds.includes(name))
  if (unknown.length > 0) throw new Error(`Unknown kinds: ${unknown.join()}. Known are ${kinds.join(', ')}.`)
  const outcomes: Outcome[] = []
  const queue = (named.length > 0 ? named : kinds).values()
  const work = async () => {
    for (const kind of queue) {
      const outcome = await measureKind(kind, count)
      outcomes.push(outcome)
      process.stdout.write(`${JSON.stringify(outcome)}\n`)
    }
  }
  await Promise.all([work(), work()])
  const headings = ['kind', 'imported', 'signed in', 'wrong refused', 'renewed']
  const rows = outcomes.map(({ kind, imported, signedIn, wrongRefused, wrongTried, renewed }) => [
    kind,
    imported,
    signedIn,
    `${wrongRefused} of ${wrongTried}`,
    renewed,
  ])
  process.stdout.write(`\n${textTable(headings, rows)}`)
  process.exitCode = outcomes.every(
    ({ signedIn, renewed, wrongRefused, wrongTried }) =>
      signedIn === count && renewed === count && wrongRefused === wrongTried,
  )
    ? 0
    : 1
}
