import { setTimeout as sleep } from 'node:timers/promises'
import { clientFrom, loopback } from '../support/addressed-client.ts'
import { type Answer, clientOf } from '../support/client.ts'
import type { KnownClient } from '../support/oidc.ts'
import { type Book, judge, type Life, noteReply, type Reply, type SendOptions } from './model.ts'
import type { World } from './worlds.ts'

/** Ends a life early, because a request has no clear answer. Its checks remain. */
export class Interrupted extends Error {}

/** Changes what clients see of the service. Tests plant mistakes with it. */
export type Lie = (method: string, path: string, send: () => Promise<Answer>) => Promise<Answer>

/** What a scenario works with: a life of its own, from an address of its own, so that rate limits do not add up. */
export interface Scene {
  readonly life: Life
  readonly url: string
  readonly party: KnownClient
  /** Returns a number from 0 up to, but not including, 1. */
  readonly random: () => number
  /** How often the worker ran the scenario before. Some do more each second time. */
  readonly turn: number
  /** Returns a word that no other scene gets. */
  readonly word: () => string
  /** The session of an administrator. */
  readonly admin: string
  readonly send: (method: string, path: string, options?: SendOptions) => Promise<Reply>
  /** @throws Interrupted unless the request was acknowledged */
  readonly must: (method: string, path: string, options?: SendOptions) => Promise<Reply['body']>
  /** Notes a request that another client of the tests sends. */
  readonly note: (request: string, sent: Promise<SentAnswer>, options?: SendOptions) => Promise<Reply>
  readonly violate: (what: string) => void
  /** Waits for the token that begins like this in the latest email to an address. @throws Interrupted if none arrives soon */
  readonly readToken: (address: string, start?: string) => Promise<string>
  /** Creates a user with a password, and signs them in. */
  readonly signInNew: (permissions?: readonly string[]) => Promise<string>
}

type SentAnswer = Pick<Answer, 'status' | 'headers' | 'body'>

export type Scenario = (scene: Scene) => Promise<void>

/** Some operations need a session that is not much older. */
const adminAgeMs = 120_000
const noAnswer: SentAnswer = { status: 0, headers: new Headers(), body: undefined }
const newPassword = 'A long and good password of chaos 1'

interface DriverOptions {
  readonly world: World
  readonly book: Book
  readonly seed: number
  readonly lie?: Lie | undefined
}

/** Creates the clients of a run, and what all of them share, before the storm. */
export const createDriver = async ({ world, book, seed, lie }: DriverOptions) => {
  let scenes = 0
  let words = 0
  const word = () => `w${seed}x${++words}`

  const calm = clientOf(world.url)
  let admin = (await calm('POST', '/api/2/auth/login', { body: world.admin })).body.session_key
  let signedInAt = performance.now()
  const redirectUris = ['https://app.example/cb']
  const registered = await calm('POST', '/api/2/oidc-clients', {
    bearer: admin,
    body: {
      ...{ name: word(), type: 'public', redirect_uris: redirectUris },
      scopes: ['openid', 'profile', 'organization', 'offline_access'],
    },
  })
  if (registered.status !== 201) throw new Error(`no client: ${registered.text}`)
  const clientId = registered.body.client_id
  const party: KnownClient = { client: { clientId, redirect_uris: redirectUris, type: 'public' }, secret: '' }

  const openScene = (kind: string, random: () => number, turn: number): Scene => {
    const life = book.openLife(kind)
    const client = clientFrom(loopback(++scenes), world.url)
    const note: Scene['note'] = async (request, sent, options = {}) => {
      const answer = await sent.catch(() => noAnswer)
      const reply = { ...answer, outcome: judge(answer) }
      noteReply(book, life, request, reply, options)
      world.noteOperation()
      return reply
    }
    const send: Scene['send'] = async (method, path, { event, allows, ...options } = {}) => {
      await world.whenUp()
      const call = () => client(method, path, options)
      const content = options.body === undefined ? '' : ` ${JSON.stringify(options.body).slice(0, 120)}`
      const sent = lie ? lie(method, path, call) : call()
      return note(`${method} ${path}${content}`, sent, { ...(event ? { event } : {}), allows: allows ?? [] })
    }
    const must: Scene['must'] = async (method, path, options) => {
      const { outcome, status, body } = await send(method, path, options)
      if (outcome !== 'acked') throw new Interrupted(`${method} ${path}: ${status}`)
      return body
    }
    return {
      party,
      admin,
      life,
      url: world.url,
      random,
      turn,
      word,
      send,
      must,
      note,
      violate: (what) => book.violate(life, what),
      readToken: async (address, start = 'lk') => {
        for (
          const deadline = performance.now() + world.mailWaitMs;
          performance.now() < deadline;
          await sleep(50)
        ) {
          const mails = await world.readMails(address)
          const [token] = mails
            .flatMap((text) => /(?<=#token=)\S+/.exec(text) ?? [])
            .filter((one) => one.startsWith(start))
            .slice(-1)
          if (token !== undefined) return token
        }
        throw new Interrupted('the email is late')
      },
      signInNew: async (permissions = []) => {
        const bearer = admin
        const username = word()
        const body = { username, permissions, groups: [] }
        const { id } = await must('POST', '/api/2/users', { bearer, body, event: 'user.created' })
        const password = { password: newPassword, password_change_required: false }
        await must('POST', `/api/2/users/${id}/password`, { bearer, body: password, event: 'password.set' })
        const login = { username, password: newPassword }
        return (await must('POST', '/api/2/auth/login', { body: login, event: 'login.succeeded' }))
          .session_key
      },
    }
  }

  return {
    openScene: async (kind: string, random: () => number, turn: number): Promise<Scene> => {
      const scene = openScene(kind, random, turn)
      if (performance.now() - signedInAt > adminAgeMs) {
        const { outcome, body } = await scene.send('POST', '/api/2/auth/login', { body: world.admin })
        if (outcome === 'acked') [admin, signedInAt] = [body.session_key, performance.now()]
      }
      return scene
    },
    admin: () => admin,
  }
}
