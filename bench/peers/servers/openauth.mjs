import { createServer } from 'node:http'
import { createClient, createSubjects, issuer } from '@openauthjs/openauth'
import { PasswordProvider } from '@openauthjs/openauth/provider/password'
import { MemoryStorage } from '@openauthjs/openauth/storage/memory'
import bcrypt from 'bcryptjs'
import { toNodeHandler } from 'better-auth/node'

/*
 * OpenAuth with its store in memory, and with the cost of Latchkey's password hashes. `/bench/people` adds those who sign
 * in, and `/bench/me` verifies an access token as a product's own endpoint would.
 */

const { PORT, PEOPLE, PASSWORD } = process.env
const url = `http://127.0.0.1:${PORT}`
const cost = 10
const storage = MemoryStorage()
const page = async () => new Response('page', { headers: { 'content-type': 'text/html' } })

const subjects = createSubjects({
  user: {
    '~standard': { version: 1, vendor: 'benchmark', validate: (value) => ({ value }) },
  },
})
const app = issuer({
  storage,
  subjects,
  providers: {
    password: PasswordProvider({
      login: page,
      register: page,
      change: page,
      sendCode: async () => {},
      hasher: {
        hash: async (password) => ({ hash: await bcrypt.hash(password, cost) }),
        verify: (password, { hash }) => bcrypt.compare(password, hash),
      },
    }),
  },
  allow: async () => true,
  success: (context, { email }) => context.subject('user', { id: email }),
})
const client = createClient({
  clientID: 'benchmark',
  issuer: url,
  fetch: async (target, init) => app.request(target, init),
})
const handleIssuer = toNodeHandler((request) => app.fetch(request))

const reply = (res, status, value) => {
  const body = JSON.stringify(value)
  res
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body)
}

const readCookies = (response) =>
  response.headers
    .getSetCookie()
    .filter((line) => !line.includes('Max-Age=0'))
    .map((line) => line.split(';')[0])
    .join('; ')

/** Signs in as a browser and a client do together. */
const signIn = async (email) => {
  const { url: start } = await client.authorize(`${url}/done`, 'code')
  const begun = await app.request(start)
  const cookie = readCookies(begun)
  const form = new URLSearchParams({ email, password: PASSWORD })
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }
  const done = await app.request(`${url}/password/authorize`, { method: 'POST', headers, body: form })
  const code = new URL(done.headers.get('location')).searchParams.get('code')
  const { tokens } = await client.exchange(code, `${url}/done`)
  return { cookie, access: tokens.access }
}

const addPeople = async () => {
  const people = []
  for (let at = 0; at < Number(PEOPLE); at++) {
    const email = `person-${at}@example.com`
    await storage.set(['email', email, 'password'], { hash: await bcrypt.hash(PASSWORD, cost) })
    people.push(await signIn(email))
  }
  return people
}

const server = createServer(async (req, res) => {
  if (req.url === '/bench/me') {
    const result = await client.verify(subjects, req.headers.authorization?.slice('Bearer '.length) ?? '')
    reply(res, result.err ? 401 : 200, result.err ? {} : result.subject)
  } else if (req.url === '/bench/people') reply(res, 200, await addPeople())
  else await handleIssuer(req, res)
})
// It ends with the benchmark, even if that is killed.
process.once('disconnect', () => process.exit())
server.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'))
