import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { type LoopbackServer, listenOnLoopback } from '../support/listen-on-loopback.ts'

export const audience = 'https://films.example.com'

/** Another service that issues tokens, with keys and mistakes of our choice. */
export interface Issuer {
  readonly url: string
  /** How often the keys were read. */
  readonly reads: () => number
  /** What the service answers from now on. Without a body it answers with the keys. */
  readonly answer: (status: number, body?: string) => void
  readonly addKey: (kid: string) => Promise<void>
  readonly sign: (claims?: JWTPayload, header?: Readonly<Record<string, unknown>>) => Promise<string>
  /** What introspection answers. */
  readonly introspection: { status: number; body: unknown; last?: Readonly<Record<string, string>> }
  readonly claims: () => JWTPayload
  readonly close: () => Promise<void>
}

export const startIssuer = async (): Promise<Issuer> => {
  const keys = new Map<string, Awaited<ReturnType<typeof generateKeyPair>>>()
  const introspection: Issuer['introspection'] = { status: 200, body: { active: true } }
  let reads = 0
  let answer: { status: number; body: string | undefined } = { status: 200, body: undefined }
  const listKeys = async () => ({
    keys: await Promise.all(
      [...keys].map(async ([kid, { publicKey }]) => ({
        ...(await exportJWK(publicKey)),
        kid,
        alg: 'RS256',
        use: 'sig',
      })),
    ),
  })
  const handle = async (url: string, authorization: string, text: string) => {
    if (url !== '/oauth2/introspect') {
      reads++
      return { status: answer.status, body: answer.body ?? JSON.stringify(await listKeys()) }
    }
    introspection.last = { authorization, ...Object.fromEntries(new URLSearchParams(text)) }
    return { status: introspection.status, body: JSON.stringify(introspection.body) }
  }
  const server: LoopbackServer = await listenOnLoopback(
    createServer((request, response) => {
      let text = ''
      request.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      request.on('end', async () => {
        const { status, body } = await handle(request.url ?? '', request.headers.authorization ?? '', text)
        response.writeHead(status, { 'content-type': 'application/json' }).end(body)
      })
    }),
  )
  const claims = (): JWTPayload => {
    const iat = Math.floor(Date.now() / 1000)
    return {
      iss: server.url,
      aud: audience,
      sub: '7',
      client_id: 'latchkey',
      sid: 'a session',
      jti: 'a token',
      iat,
      exp: iat + 600,
      auth_time: iat,
      preferred_username: 'ada',
      groups: ['Editors'],
      permissions: ['films:view'],
    }
  }
  const addKey: Issuer['addKey'] = async (kid) => {
    keys.set(kid, await generateKeyPair('RS256', { extractable: true }))
  }
  await addKey('first')
  return {
    url: server.url,
    close: server.close,
    reads: () => reads,
    answer: (status, body) => {
      answer = { status, body }
    },
    addKey,
    introspection,
    claims,
    sign: (changes = {}, header = {}) => {
      const kid = String(header['kid'] ?? 'first')
      const pair = keys.get(kid) ?? keys.get('first')
      if (!pair) throw new Error('There is no key.')
      return new SignJWT({ ...claims(), ...changes })
        .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid, ...header })
        .sign(pair.privateKey)
    },
  }
}
