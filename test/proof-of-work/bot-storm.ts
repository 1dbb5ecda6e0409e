import { randomUUID } from 'node:crypto'
import { vi } from 'vitest'
import { parseCredential } from '../../lib/kernel/secrets/credentials.ts'
import { hour, minute } from '../../lib/kernel/util/time.ts'
import type { Answer } from '../support/client.ts'
import { acceptInvitation } from '../support/invitations.ts'
import { addSignedIn } from '../support/people.ts'
import { proveWork } from '../support/proof-of-work.ts'
import type { TestService } from '../support/service.ts'
import { waitFor } from '../support/wait-for.ts'

/** The storm sends its networks in this header. */
export const stormSettings = { TRUSTED_PROXIES: '127.0.0.1' }

export interface StormSize {
  readonly requests: number
  readonly networks: number
  /** How many of the networks solve challenges. The others only repeat their requests. */
  readonly solvers: number
  /** Called when the last email of the storm is sent, before a link is opened. */
  readonly onSent?: () => void
}

export interface StormReport {
  readonly requests: number
  /** Requests of bots by what became of them. */
  readonly answers: Readonly<Record<'accepted' | 'asked' | 'limited', number>>
  /** Those of `accepted` that had a proof. */
  readonly proofs: number
  /** The most requests of one network that were accepted without a proof. */
  readonly mostWithoutProof: number
  readonly emails: number
  /** The most emails that one address got. */
  readonly mostOfRecipient: number
  /** Accounts after the storm, before anyone opened a link, and after bots opened each of their links twice. */
  readonly accounts: readonly [beforeLinks: number, afterLinks: number]
  /** The links that bots could read. */
  readonly botLinks: number
  /** What each person got who signed up during the storm. */
  readonly people: readonly ('account' | 'nothing')[]
}

const requestsAtOnce = 8
const people = 5
/** Bots read the mail of this domain. Its addresses are a third. Another third is at the provider of the people. */
const botDomain = 'bots.example'
const provider = 'mail.example'
const victim = `victim@${provider}`

const toNetwork = (number: number): string =>
  `100.${64 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`

/** Chooses whom a request is for. One in ten is for the same victim. */
const chooseRecipient = (at: number): string => {
  if (at % 10 === 9) return victim
  return `${randomUUID()}@${[botDomain, provider, `company-${at % 97}.example`][at % 3]}`
}

/** Signs up from many networks within an hour, while people do the same. The clock must be a mock. */
export const runBotStorm = async (
  service: TestService,
  { requests, networks, solvers, onSent }: StormSize,
): Promise<StormReport> => {
  const admin = await addSignedIn(service, { permissions: ['system:admin-access'] })
  const open = { bearer: admin.bearer, body: { mode: 'open' } }
  await service.client('PUT', '/api/2/system/sign-up-policy', open)
  const countUsers = async (): Promise<number> =>
    (await service.client('GET', '/api/2/totals', { bearer: admin.bearer })).body?.users ?? Number.NaN
  const before = await countUsers()
  const signUp = (network: string, email: string, proof?: string): Promise<Answer> =>
    service.client('POST', '/api/2/auth/sign-up', {
      headers: { 'x-forwarded-for': network },
      body: { email, ...(proof === undefined ? {} : { proof }) },
    })
  const answers = { accepted: 0, asked: 0, limited: 0 }
  let proofs = 0
  const freeOf = new Map<string, number>()
  const note = ({ status, body, text }: Answer): void => {
    if (status !== 204 && status !== 429) throw new Error(`${status} ${text}`)
    answers[status === 204 ? 'accepted' : body.reason === 'proof_required' ? 'asked' : 'limited'] += 1
  }
  let sent = 0
  const attack = async (): Promise<void> => {
    const at = sent++
    const network = toNetwork(at % networks)
    const recipient = chooseRecipient(at)
    const answer = await signUp(network, recipient)
    note(answer)
    if (answer.status === 204) freeOf.set(network, (freeOf.get(network) ?? 0) + 1)
    if (at % networks >= solvers || answer.body?.reason !== 'proof_required' || sent >= requests) return
    sent += 1
    const proved = await signUp(network, recipient, await proveWork(answer))
    note(proved)
    if (proved.status === 204) proofs += 1
  }
  const outcomes: ('account' | 'nothing')[] = []
  const startedAt = Date.now()
  while (sent < requests) {
    vi.setSystemTime(startedAt + (sent / requests) * (hour - 2 * minute))
    await Promise.all(Array.from({ length: Math.min(requestsAtOnce, requests - sent) }, attack))
    if (outcomes.length < (sent / requests) * people)
      outcomes.push(await signUpAsPerson(service, toNetwork(networks + outcomes.length), signUp))
  }
  const { mailbox } = service
  let seen = -1
  await waitFor(() => {
    const isQuiet = mailbox.mails.length === seen
    seen = mailbox.mails.length
    if (!isQuiet) throw new Error('emails are still sent')
  })
  const made = () => outcomes.filter((outcome) => outcome === 'account').length
  onSent?.()
  const beforeLinks = (await countUsers()) - before - made()
  const botLinks = mailbox.mails.filter(({ to }) => to[0]?.endsWith(`@${botDomain}`)).map(readToken)
  for (const token of botLinks)
    for (let times = 0; times < 2; times++)
      await service.client('POST', '/api/2/auth/sign-up/complete', { body: { token, full_name: 'Bot' } })
  return {
    requests: sent,
    answers,
    proofs,
    mostWithoutProof: Math.max(...freeOf.values()),
    emails: mailbox.mails.length,
    mostOfRecipient: mailbox.mailsTo(victim).length,
    accounts: [beforeLinks, (await countUsers()) - before - made()],
    botLinks: botLinks.length,
    people: outcomes,
  }
}

const readToken = ({ text }: { readonly text: string }): string => /#token=(\S+)/.exec(text)?.[1] ?? ''

/** A person signs up at the provider that bots flood, from a network of their own, as the page does it. */
const signUpAsPerson = async (
  service: TestService,
  network: string,
  signUp: (network: string, email: string, proof?: string) => Promise<Answer>,
): Promise<'account' | 'nothing'> => {
  const email = `person-${randomUUID()}@${provider}`
  const answer = await signUp(network, email)
  const isAsked = answer.body?.reason === 'proof_required'
  const sent = isAsked ? await signUp(network, email, await proveWork(answer)) : answer
  if (sent.status !== 204) return 'nothing'
  const token = readToken(await service.mailbox.mailTo(email))
  if (parseCredential(token)?.kind !== 'sign_up') return 'nothing'
  const { body } = await service.client('POST', '/api/2/auth/sign-up/complete', {
    body: { token, full_name: 'Grace Hopper' },
  })
  const accepted = await acceptInvitation(service, body.invitation_token, 'violet tractor under nine moons')
  return accepted.status === 200 ? 'account' : 'nothing'
}
