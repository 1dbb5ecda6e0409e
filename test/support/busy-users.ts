import { auditStep } from '../../lib/accounts/events/write-event.ts'
import { endSession } from '../../lib/accounts/sessions/end-sessions.records.ts'
import { findSessionAndUser } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { buildSession, openSession } from '../../lib/accounts/sessions/session-rules.ts'
import { buildSessionStep } from '../../lib/accounts/sessions/write-sessions.records.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import type { TicketRecord } from '../../lib/features/tickets/records.ts'
import { mintCredential, parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { ticketKey } from '../../lib/kernel/table/keys/keys.ts'
import type { Step } from '../../lib/kernel/table/transaction.ts'
import { mapInBatches } from '../../lib/kernel/util/work.ts'
import { costsSince } from './directory.ts'
import { addPerson, type Person, type SignedInPerson, signIn } from './people.ts'
import type { TestService } from './service.ts'

export interface BusyPerson extends SignedInPerson {
  /** The credentials of some of the other sessions. */
  readonly others: readonly string[]
}

/** Adds a person with this number of unused tickets, active sessions, and sessions that ended with an earlier epoch. */
export const addBusyPerson = async (service: TestService, count: number): Promise<BusyPerson> => {
  const person = await addPerson(service)
  const { user } = person
  await seed(service, count, (at) => buildTicketStep(service, user, at))
  await seed(service, count, () => buildOtherSession(service, { ...user, credentialEpoch: 0 }).step)
  const others: string[] = []
  await seed(service, count, () => {
    const { step, value } = buildOtherSession(service, user)
    others.push(value)
    return step
  })
  return { ...person, others: others.slice(0, 3), bearer: await signInFully(service, person) }
}

/** Signs in. The first request of a session updates the time of last use, so that later ones cost the same. */
const signInFully = async (service: TestService, person: Person): Promise<string> => {
  const bearer = await signIn(service, person)
  await service.client('GET', '/api/2/users/me', { bearer })
  return bearer
}

const seed = async (service: TestService, count: number, build: (at: number) => Step): Promise<void> => {
  const perCall = 100
  const starts = Array.from({ length: Math.ceil(count / perCall) }, (_, call) => call * perCall)
  await mapInBatches(starts, 4, (from) =>
    service.services.table.transact(
      Array.from({ length: Math.min(perCall, count - from) }, (_, n) => build(from + n)),
    ),
  )
}

const buildTicketStep = (
  { services }: TestService,
  { id, credentialEpoch }: UserRecord,
  at: number,
): Step => {
  const { hash } = mintCredential('auth_ticket', id)
  const creator = { userId: id, hash: mintCredential('session', id).hash, credentialEpoch }
  const expiresAt = services.now() + 60_000 + at
  const ticket: TicketRecord = { hash, userId: id, credentialEpoch, expiresAt, creator }
  return { put: { ...ticketKey(hash), ...ticket, expires_at: Math.ceil(expiresAt / 1000) } }
}

const contextOf = ({ services }: TestService) =>
  ({ address: '127.0.0.1', userAgent: 'node', requestId: '', actor: null, at: services.now() }) as const

const buildOtherSession = (service: TestService, user: UserRecord) => {
  const { services } = service
  const context = contextOf(service)
  const origin = { methods: ['pwd'], expiresAt: null } as const
  const { value, session } = buildSession(services, user, context, origin)
  return { value, step: buildSessionStep(session) }
}

export interface RequestCost {
  readonly name: string
  readonly calls: number
  readonly units: number
}

/** Sends requests of a person, of which the last ones end their sessions, and measures the table calls of each. */
export const measureBusyPerson = async (
  service: TestService,
  person: BusyPerson,
): Promise<readonly RequestCost[]> => {
  const costs: RequestCost[] = []
  const measure = async (name: string, status: number, route: string, bearer?: string, body?: object) => {
    const [method = '', path = ''] = route.split(' ')
    const logStart = service.log.length
    const options = { ...(bearer ? { bearer } : {}), ...(body ? { body } : {}) }
    const answer = await service.client(method, path, options)
    if (answer.status !== status) throw new Error(`${name}: ${answer.status} ${answer.text}`)
    const [cost] = costsSince(service, logStart)
    if (!cost) throw new Error(`the log has no cost of ${name}`)
    costs.push({ name, ...cost })
    return answer.body
  }
  const { bearer, password } = person
  await measure('authentication', 200, 'GET /api/2/users/me', bearer)
  const ticket = await measure('create ticket', 200, 'POST /api/2/auth/ticket', bearer)
  await measure('check ticket', 200, 'POST /api/2/auth/ticket/check', undefined, ticket)
  const second = await signInFully(service, person)
  await measure('logout', 204, 'POST /api/2/auth/logout', second)
  const passwords = { current_password: password, password: 'Another good and long password' }
  await measure('change password', 204, 'POST /api/2/users/me/password', bearer, passwords)
  return costs
}

/** Signs a user in and out very often, without the passwords and without HTTP, which would take most of the time. */
export const signInAndOut = async (service: TestService, user: UserRecord, times: number): Promise<void> => {
  const { services } = service
  const context = contextOf(service)
  const each = Array.from({ length: times }, (_, at) => at)
  await mapInBatches(each, 10, async () => {
    const audit = (event: 'login.succeeded' | 'logout.succeeded') => [
      auditStep(context, event, { user: user.id }),
    ]
    const value = await openSession(services, user, context, {
      methods: ['pwd'],
      extraSteps: audit('login.succeeded'),
    })
    const { session } = await findSessionAndUser(services.table, user.id, parseCredential(value)?.hash ?? '')
    if (!session) throw new Error('the session was not created')
    await endSession(services.table, session, audit('logout.succeeded'))
  })
}
