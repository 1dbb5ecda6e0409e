import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { apiKey } from '@better-auth/api-key'
import bcrypt from 'bcryptjs'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { toNodeHandler } from 'better-auth/node'
import { admin, oneTimeToken } from 'better-auth/plugins'

/*
 * Better Auth with SQLite in a file, and with the cost of Latchkey's password hashes. `/bench/seed` adds users, and
 * `/bench/key` checks an API key as a product's own endpoint would.
 */

const { PORT, DATABASE, PEOPLE, PASSWORD } = process.env
const cost = 10
const database = new DatabaseSync(DATABASE)
database.exec('PRAGMA journal_mode = WAL')

const options = {
  baseURL: `http://127.0.0.1:${PORT}`,
  secret: 'a secret of the benchmark with enough characters',
  database,
  telemetry: { enabled: false },
  logger: { disabled: true },
  rateLimit: { enabled: false },
  emailAndPassword: {
    enabled: true,
    password: {
      hash: (password) => bcrypt.hash(password, cost),
      verify: ({ hash, password }) => bcrypt.compare(password, hash),
    },
  },
  plugins: [admin(), oneTimeToken(), apiKey({ rateLimit: { enabled: false } })],
}
const { runMigrations } = await getMigrations(options)
await runMigrations()
const auth = betterAuth(options)
const handle = toNodeHandler(auth)

const readJson = async (req) => {
  let text = ''
  for await (const part of req) text += part
  return text === '' ? {} : JSON.parse(text)
}

const reply = (res, status, value) => {
  const body = JSON.stringify(value)
  res
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body)
}

/** Creates the people who sign in. The first one is an administrator. Returns their session cookies and API keys. */
const addPeople = async () => {
  const people = []
  for (let at = 0; at < Number(PEOPLE); at++) {
    const { headers, response } = await auth.api.signUpEmail({
      body: { email: `person-${at}@example.com`, name: `Person ${at}`, password: PASSWORD },
      returnHeaders: true,
    })
    const cookie = headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    const { key } = await auth.api.createApiKey({ body: { userId: response.user.id, name: 'benchmark' } })
    people.push({ cookie, key })
  }
  database.exec(`UPDATE user SET role = 'admin' WHERE email = 'person-0@example.com'`)
  return people
}

const seed = (total) => {
  const { count } = database.prepare('SELECT COUNT(*) AS count FROM user').get()
  const insert = database.prepare(
    'INSERT INTO user (id, name, email, emailVerified, createdAt, updatedAt, role) VALUES (?, ?, ?, 1, ?, ?, ?)',
  )
  const now = new Date().toISOString()
  database.exec('BEGIN')
  for (let at = count; at < total; at++)
    insert.run(`seeded-${at}`, `Person ${at} of the Directory`, `person.${at}@example.org`, now, now, 'user')
  database.exec('COMMIT')
}

const server = createServer(async (req, res) => {
  if (req.url === '/bench/key') {
    const { valid, key } = await auth.api.verifyApiKey({ body: { key: req.headers['x-api-key'] } })
    reply(res, valid ? 200 : 401, { user: key?.referenceId ?? key?.userId })
  } else if (req.url === '/bench/people') reply(res, 200, await addPeople())
  else if (req.url === '/bench/seed') {
    seed((await readJson(req)).total)
    reply(res, 200, {})
  } else await handle(req, res)
})
// It ends with the benchmark, even if that is killed.
process.once('disconnect', () => process.exit())
server.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
