import { clientFrom } from '../../test/support/addressed-client.ts'
import type { Answer, Client } from '../../test/support/client.ts'
import { isUnclear, type Ledger } from './ledger.ts'

/** The audit events of operations. Their requests here always change something if they succeed. */
const events: Readonly<Record<string, string>> = {
  'POST /api/2/auth/login': 'login.succeeded',
  'POST /api/2/auth/email-code/login': 'login.succeeded',
  'POST /api/2/auth/logout': 'logout.succeeded',
  'POST /api/2/auth/ticket': 'ticket.created',
  'POST /api/2/auth/ticket/check': 'ticket.exchanged',
  'POST /api/2/auth/access-tokens': 'access_token.created',
  'POST /api/2/auth/access-tokens/redeem': 'access_token.redeemed',
  'DELETE /api/2/auth/access-tokens/{id}': 'access_token.deleted',
  'POST /api/2/api-tokens': 'api_token.created',
  'DELETE /api/2/api-tokens/{id}': 'api_token.deleted',
  'POST /api/2/auth/reset-password': 'password.reset',
  'POST /api/2/auth/invitation/accept': 'invitation.accepted',
  'POST /api/2/users': 'user.created',
  'PATCH /api/2/users/{id}': 'user.changed',
  'DELETE /api/2/users/{id}': 'user.deleted',
  'POST /api/2/groups': 'group.created',
  'PATCH /api/2/groups/{id}': 'group.changed',
  'DELETE /api/2/groups/{id}': 'group.deleted',
}

/** API Gateway ends requests after 30 seconds. */
const timeLimitMs = 30_000

/** A scenario ended early, because a request failed for a reason that the disruptions explain. */
export class Interrupted extends Error {}

export interface WatchedClient {
  readonly client: Client
  /** Whether a request had no clear answer, or was refused because of too much load. */
  readonly wasDisturbed: () => boolean
}

/** A client that checks every answer and keeps the ledger. */
export const createWatchedClient = (ledger: Ledger, address: string, url: string): WatchedClient => {
  const send = clientFrom(address, url)
  let isDisturbed = false
  const client: Client = async (method, path, options) => {
    const name = `${method} ${path.replace(/\?.*$/, '').replace(/\/\d+(?=\/|$)/g, '/{id}')}`
    const answer = await withinLimit(send(method, path, options)).catch((error: unknown) => {
      ledger.report(`${name}: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    })
    const status = answer?.status ?? 0
    ledger.noteStatus(status)
    const event = events[name]
    if (event) ledger.expectEvent(event, status)
    if (isUnclear(status) || status === 429) isDisturbed = true
    if (!answer) throw new Interrupted(`${name} has no answer`)
    checkAnswer(ledger, name, answer)
    return answer
  }
  return { client, wasDisturbed: () => isDisturbed }
}

/** Rejects with an error if there is no answer in time. */
const withinLimit = async (answer: Promise<Answer>): Promise<Answer> => {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), timeLimitMs)
  })
  return Promise.race([answer, limit]).finally(() => clearTimeout(timer))
}

/** The handlers check which errors an operation declares. Here, only statuses and the form of errors matter. */
const checkAnswer = (ledger: Ledger, name: string, { status, headers, body }: Answer): void => {
  if (status < 400) return
  const type = headers.get('content-type') ?? ''
  const isPage = type.startsWith('text/html')
  if (isPage) return
  if (!type.startsWith('application/problem+json') || body?.status !== status)
    ledger.report(`${name}: ${status} without a problem body`)
  if (status > 500 && status !== 503) ledger.report(`${name}: ${status} is not declared`)
}
