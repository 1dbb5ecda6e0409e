import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { decodeJwt, exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { describedAgents, registeredAgents } from '../../lib/features/oauth/agent-presets.models.ts'
import { createEvent } from '../../local/gateway/event.ts'
import { findFreePort } from '../../local/ports.ts'
import { type LocalLatchkey, type LocalUser, startLatchkey } from '../relying-parties/latchkey.ts'
import { agentDocuments, opencode } from '../support/agent-documents.ts'
import { makeCertificate } from '../support/certificates.ts'
import type { JsonValue } from '../support/client.ts'
import { readHiddenFields } from '../support/decisions.ts'
import { type LoopbackServer, listenOnLoopback } from '../support/listen-on-loopback.ts'
import { createCookieBrowser } from './cookie-browser.ts'
import { type ExampleProduct, installExample } from './example-product.ts'
import { run, terminalEnvironment } from './project.ts'

/* An agent with the SDK of the Model Context Protocol uses the example server, which it knows by its address alone. */

const redirectUri = 'http://127.0.0.1:65535/callback'
/** The origin of the documents of agents. */
const agentOrigin = (): string => agentSite.url.replace('http://127.0.0.1', 'https://localhost')
/** Where an agent describes itself. */
const documentUrl = (): string => `${agentOrigin()}/agent.json`
/** The key of agents that sign assertions. */
const agentKey = await generateKeyPair('RS256', { extractable: true })
const keys = [{ ...(await exportJWK(agentKey.publicKey)), kid: 'agent-1', use: 'sig', alg: 'RS256' }]

const readDocument = (path: string): object | undefined => {
  if (path === '/oauth/jwks.json') return { keys }
  const client = { client_id: agentOrigin() + path }
  if (path === '/agent.json' || path === '/later.json') return { ...client, redirect_uris: [redirectUri] }
  const agent = [...agentDocuments, opencode].find((one) => one.path === path)
  return agent && { ...client, ...agent.fields(agentOrigin()) }
}
let example: ExampleProduct
let latchkey: LocalLatchkey
let server: ChildProcess
let resource: string
let clientId: string
let agentSite: LoopbackServer
let viewer: LocalUser
let editor: LocalUser
beforeAll(async () => {
  example = await installExample('mcp-server', { middleware: inject('tarballs').middleware })
  const certificate = await makeCertificate({ name: 'localhost', hosts: ['localhost'], isAuthority: true })
  const certificateFile = join(example.folder, 'agent.pem')
  writeFileSync(certificateFile, certificate.pem)
  agentSite = await listenOnLoopback(
    createServer({ cert: certificate.pem, key: certificate.keyPem }, ({ url = '' }, response) => {
      const document = readDocument(url)
      response
        .writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(document))
    }),
  )
  latchkey = await startLatchkey({
    ALLOW_PRIVATE_METADATA: 'true',
    NODE_EXTRA_CA_CERTS: certificateFile,
  })
  await latchkey.allowAgents(
    new URL(documentUrl()).host,
    ...describedAgents.flatMap(({ callbackHost }) => callbackHost ?? []),
  )
  const port = await findFreePort()
  resource = `http://127.0.0.1:${port}/mcp`
  const texts = { en: 'Films' }
  await latchkey.registerApi({
    ...{ name: 'Films', audience: resource, unregistered_clients: true },
    permissions: ['films:view', 'films:edit'].map((name) => ({ name, texts })),
    scopes: [
      { name: 'films.read', texts, permissions: ['films:view'] },
      { name: 'films.edit', texts, permissions: ['films:view', 'films:edit'] },
    ],
  })
  await latchkey.registerApi({ name: 'Music', audience: 'https://music.example' })
  const client = await latchkey.registerClient({
    ...{ name: 'An agent', type: 'public', redirect_uris: ['http://127.0.0.1/callback'] },
    apis: [
      { audience: resource, scopes: ['films.read', 'films.edit'] },
      { audience: 'https://music.example', scopes: [] },
    ],
  })
  clientId = client.client_id
  viewer = await latchkey.addUser(['films:view'])
  editor = await latchkey.addUser(['films:view', 'films:edit'])
  server = spawn('npm', ['start'], {
    cwd: example.folder,
    env: { ...terminalEnvironment(), PORT: String(port), LATCHKEY_URL: latchkey.url },
    detached: true,
  })
  await new Promise<void>((resolve, reject) => {
    server.stdout?.setEncoding('utf8').on('data', (text: string) => text.includes('ready ') && resolve())
    server.once('close', () => reject(new Error('the server ended')))
  })
})
afterAll(async () => {
  if (server?.pid) {
    process.kill(-server.pid, 'SIGINT')
    await once(server, 'close')
  }
  await latchkey?.close()
  await agentSite?.close()
  example?.remove()
})

/** A module of the SDK that the example installed. */
const load = (path: string): Promise<JsonValue> =>
  import(pathToFileURL(join(example.folder, 'node_modules/@modelcontextprotocol/sdk/dist/esm', path)).href)

/** Signs a user in, and goes where the agent sends them. Returns the address of the agent that they end at. */
const browse = async (user: LocalUser, url: URL, returnsTo = redirectUri): Promise<URL> => {
  const browser = createCookieBrowser()
  const { username, password } = user
  await browser.send(`${latchkey.url}/api/2/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: latchkey.url },
    body: JSON.stringify({ username, password }),
  })
  for (let next = url; ; ) {
    const answer = await browser.send(next.href)
    const location = answer.headers.get('location')
    const text = await answer.text()
    if (!location && text.includes('value="continue"')) {
      const agreed = await browser.send(next.origin + next.pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ answer: 'continue', ...readHiddenFields({ text }) }),
      })
      return new URL(agreed.headers.get('location') ?? '')
    }
    if (!location) throw new Error(`${next} leads nowhere: ${answer.status} ${text}`)
    next = new URL(location, next)
    if (next.href.startsWith(returnsTo)) return next
  }
}

const readBody = async (req: IncomingMessage): Promise<Buffer> => {
  const chunks: Uint8Array[] = []
  for await (const chunk of req) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** How an agent is known. */
interface Agent {
  readonly redirectUri: string
  /** The client that an administrator registered. */
  readonly clientId?: string
  readonly secret?: string
  /** Where it describes itself. */
  readonly documentUrl?: string
  readonly signs?: boolean
}

/** An agent of a user. It knows the address of the server, its own client ID or document, and nothing else. */
const connectAgent = async (
  user: LocalUser,
  scope?: string,
  agent: Agent = { redirectUri, clientId },
  server = resource,
): Promise<JsonValue> => {
  const { Client } = await load('client/index.js')
  const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js')
  const { UnauthorizedError } = await load('client/auth.js')
  const { createPrivateKeyJwtAuth } = await load('client/auth-extensions.js')
  const kept: JsonValue = {}
  const authProvider = {
    redirectUrl: agent.redirectUri,
    clientMetadata: { client_name: 'An agent', redirect_uris: [agent.redirectUri] },
    ...(agent.signs && {
      addClientAuthentication: createPrivateKeyJwtAuth({
        issuer: agent.documentUrl,
        subject: agent.documentUrl,
        privateKey: { ...(await exportJWK(agentKey.privateKey)), kid: 'agent-1' },
        alg: 'RS256',
      }),
    }),
    ...(agent.documentUrl === undefined
      ? {
          clientInformation: () => ({
            client_id: agent.clientId,
            ...(agent.secret !== undefined && { client_secret: agent.secret }),
          }),
        }
      : {
          clientMetadataUrl: agent.documentUrl,
          clientInformation: () => kept.client,
          saveClientInformation: (client: unknown) => {
            kept.client = client
          },
        }),
    state: () => 'the state',
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (url: URL) => {
      kept.authorization = url
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier,
  }
  const create = () => new StreamableHTTPClientTransport(new URL(server), { authProvider })
  const first = create()
  const refused = new Client({ name: 'agent', version: '1' }).connect(first)
  await expect(refused).rejects.toBeInstanceOf(UnauthorizedError)
  // The server names one scope. An agent can know others from its metadata.
  if (scope !== undefined) kept.authorization.searchParams.set('scope', scope)
  const { searchParams } = await browse(user, kept.authorization, agent.redirectUri)
  expect([searchParams.get('state'), searchParams.get('iss')]).toEqual(['the state', latchkey.url])
  await first.finishAuth(searchParams.get('code'))
  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(create())
  const callTool = async (name: string, args: object = {}): Promise<string> =>
    (await client.callTool({ name, arguments: args })).content[0].text
  return { ...kept, callTool }
}
const call = async (bearer?: string): Promise<Response> =>
  await fetch(resource, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  })

describe('an agent', () => {
  it('finds its way from the address of the server, and does what its user may do', async () => {
    const { authorization, callTool } = await connectAgent(editor, 'films.read films.edit')
    expect(authorization.searchParams.get('resource')).toBe(resource)
    expect(await callTool('list_films')).toContain('1 Metropolis')
    expect(await callTool('delete_film', { id: 1 })).toBe('Deleted.')
    expect(await callTool('list_films')).not.toContain('Metropolis')
  })

  it('that describes itself needs no registration, and gets no more than others', async () => {
    const { tokens, client, callTool } = await connectAgent(viewer, undefined, {
      redirectUri,
      documentUrl: documentUrl(),
    })
    expect(client.client_id).toBe(documentUrl())
    expect(decodeJwt(tokens.access_token)).toMatchObject({ client_id: documentUrl(), aud: resource })
    expect(await callTool('list_films')).toContain('2 M')
    expect(await callTool('delete_film', { id: 2 })).toBe('You may not delete films.')
  })

  it('asks for the scope that the server names, and gets no more by its user or by a wider scope', async () => {
    const narrow = await connectAgent(editor)
    expect(narrow.authorization.searchParams.get('scope')).toBe('films.read')
    expect(await narrow.callTool('delete_film', { id: 2 })).toBe('You may not delete films.')
    const wide = await connectAgent(viewer, 'films.read films.edit')
    expect(await wide.callTool('delete_film', { id: 2 })).toBe('You may not delete films.')
    expect(await wide.callTool('list_films')).toContain('2 M')
  })
})

describe('an agent that strangers use', () => {
  it('is one of the documents here, if the console offers it', () => {
    const known = agentDocuments.map(({ agent }) => agent)
    for (const { name } of describedAgents) expect(known.some((agent) => agent.startsWith(name))).toBe(true)
  })

  it.each(agentDocuments.map((one) => [one.agent, one] as const))(
    '%s gets from a refusal to a tool',
    async (_, { path, redirectUri: build, signs }) => {
      const { tokens, callTool } = await connectAgent(viewer, undefined, {
        ...{ redirectUri: build(agentOrigin()), documentUrl: agentOrigin() + path },
        ...(signs && { signs }),
      })
      expect(decodeJwt(tokens.access_token)).toMatchObject({ client_id: agentOrigin() + path, aud: resource })
      expect(await callTool('list_films')).toContain('2 M')
    },
  )

  it('opencode is refused in words as it sends today, and gets to a tool once it is registered', async () => {
    const sent = opencode.redirectUri(agentOrigin())
    const described = { redirectUri: sent, documentUrl: agentOrigin() + opencode.path }
    await expect(connectAgent(viewer, undefined, described)).rejects.toThrow(
      /400 .*redirect_uri is not in the document that client_id names/s,
    )
    const { client_id: clientId } = await latchkey.registerClient({
      ...{ name: 'opencode', type: 'public' },
      redirect_uris: ['http://127.0.0.1/callback', 'http://127.0.0.1/mcp/oauth/callback'],
      apis: [{ audience: resource, scopes: ['films.read'] }],
    })
    const { callTool } = await connectAgent(viewer, undefined, { redirectUri: sent, clientId })
    expect(await callTool('list_films')).toContain('2 M')
  })
})

describe('an agent that an administrator registers', () => {
  const addressed = registeredAgents.flatMap((agent) =>
    agent.redirectUris.map((uri) => {
      const sent = agent.isAddressLater ? `${uri}new-5fconnector-5f1a2b` : uri
      return [`${agent.name} at ${sent}`, agent, sent] as const
    }),
  )

  it.each(addressed)(
    '%s gets from a refusal to a tool',
    async (_, { name, type, redirectUris, ...agent }, sent) => {
      const { client_id: id, client_secret: secret } = await latchkey.registerClient({
        ...{ name: `${name} at ${sent}`, type, redirect_uris: agent.isAddressLater ? [sent] : redirectUris },
        apis: [{ audience: resource, scopes: ['films.read'] }],
      })
      const known = { redirectUri: sent, clientId: id, ...(secret !== null && { secret }) }
      const { tokens, callTool } = await connectAgent(viewer, undefined, known)
      expect(decodeJwt(tokens.access_token)).toMatchObject({ client_id: id, aud: resource })
      expect(await callTool('list_films')).toContain('2 M')
    },
  )
})

describe('the server in a Lambda function behind an HTTP API', () => {
  let gateway: LoopbackServer
  let deployed: string
  beforeAll(async () => {
    let handler: (event: object) => Promise<JsonValue>
    gateway = await listenOnLoopback(
      createHttpServer(async (req, response) => {
        const body = await readBody(req)
        const {
          statusCode,
          headers,
          body: answer,
          isBase64Encoded,
        } = await handler(
          createEvent({
            ...{ req, body, rawPath: new URL(req.url ?? '', gateway.url).pathname, requestId: randomUUID() },
            match: { target: 'films', routeKey: '$default', pathParameters: {} },
          }),
        )
        response
          .writeHead(statusCode, headers)
          .end(Buffer.from(answer ?? '', isBase64Encoded ? 'base64' : 'utf8'))
      }),
    )
    deployed = `${gateway.url}/mcp`
    vi.stubEnv('LATCHKEY_URL', latchkey.url)
    vi.stubEnv('RESOURCE', deployed)
    handler = (await import(pathToFileURL(join(example.folder, 'src/lambda.ts')).href)).handler
    await latchkey.registerApi({
      ...{ name: 'Films in a function', audience: deployed, unregistered_clients: true },
      permissions: [{ name: 'films:view', texts: { en: 'Films' } }],
      scopes: [{ name: 'films.read', texts: { en: 'Films' }, permissions: ['films:view'] }],
    })
  })
  afterAll(() => gateway?.close())

  it('answers the refusal that agents need, which leads them to a tool', async () => {
    const refused = await fetch(deployed, { method: 'POST', body: '{}' })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toContain(
      `resource_metadata="${gateway.url}/.well-known/oauth-protected-resource/mcp"`,
    )
    // An agent that came before learns of another API when its document is read again.
    const described = { redirectUri, documentUrl: `${agentOrigin()}/later.json` }
    const { tokens, callTool } = await connectAgent(viewer, undefined, described, deployed)
    expect(decodeJwt(tokens.access_token)).toMatchObject({ client_id: described.documentUrl, aud: deployed })
    expect(await callTool('list_films')).toContain('2 M')
  })
})

describe('the server', () => {
  it('names its metadata in each refusal, also of wrong tokens', async () => {
    const url = resource.replace('/mcp', '/.well-known/oauth-protected-resource/mcp')
    for (const bearer of [undefined, 'x', 'lks_x', 'eyJhbGciOiJub25lIn0.e30.']) {
      const { status, headers } = await call(bearer)
      const challenge = headers.get('www-authenticate')
      expect([status, challenge]).toEqual([401, expect.stringContaining(`resource_metadata="${url}"`)])
      expect(challenge).toContain('scope="films.read"')
    }
    expect(await (await fetch(url)).json()).toEqual({
      resource,
      authorization_servers: [latchkey.url],
      bearer_methods_supported: ['header'],
      scopes_supported: ['films.read', 'films.edit'],
      resource_name: 'Films',
    })
  })

  it('accepts tokens with its scope, and no others', async () => {
    const { tokens } = await connectAgent(editor)
    expect((await call(tokens.access_token)).status).toBe(200)
    await expect(connectAgent(editor, 'films.edit')).rejects.toThrow('Unauthorized')
  })

  it('of a stranger gets no token, also if it names this service in its metadata', async () => {
    const { authorization } = await connectAgent(editor)
    for (const stranger of ['https://evil.example/mcp', `${resource}/`, resource.replace('mcp', 'other')]) {
      const url = new URL(authorization)
      url.searchParams.set('resource', stranger)
      const { searchParams } = await browse(editor, url)
      expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['invalid_target', null])
    }
  })

  it('type-checks', async () => {
    const { code, output } = await run(['node_modules/.bin/tsc'], { cwd: example.folder })
    expect([code, output]).toEqual([0, ''])
  })
})
