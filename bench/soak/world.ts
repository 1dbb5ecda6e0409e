import { loopback } from '../../test/support/addressed-client.ts'
import type { Answer } from '../../test/support/client.ts'
import { makeIdp } from '../../test/support/idp.ts'
import { addRelyingParty, type RelyingParty } from '../../test/support/oidc.ts'
import { addPerson, type Person, signIn } from '../../test/support/people.ts'
import { addProvider, type TestProvider } from '../../test/support/saml.ts'
import type { TestService } from '../../test/support/service.ts'
import { storeSignInPolicy } from '../../test/support/sign-in-policy.ts'
import { isUnclear, type Ledger } from './ledger.ts'
import type { MailedSecret, MailIndex } from './mail-index.ts'
import { createWatchedClient, Interrupted } from './watched-client.ts'

/** What a scenario works with. Each scenario has an address of its own, so that rate limits do not add up. */
export interface Scene {
  readonly service: TestService
  readonly random: () => number
  /** Signs an administrator in. */
  readonly signInAdmin: () => Promise<string>
  readonly addUser: (fields?: Parameters<typeof addPerson>[1]) => Promise<Person>
  /** @throws Interrupted if the email does not arrive soon */
  readonly readMail: (address: string, kind: MailedSecret) => Promise<string>
  /** Uses something that works once, by callers in parallel and then again. Returns the answer of the one who got it. */
  readonly race: <Result extends { readonly status: number }>(
    name: string,
    tries: readonly (() => Promise<Result>)[],
    options?: RaceOptions<Result>,
  ) => Promise<Result | undefined>
  readonly ledger: Ledger
  readonly provider: TestProvider
  readonly party: RelyingParty
  /** A word that no other scenario has. */
  readonly word: () => string
}

export interface RaceOptions<Result> {
  readonly hasWon?: (result: Result) => boolean
  /** Whether a use by two callers may end the item for both. */
  readonly canAllLose?: boolean
}

const administrators = 20

/** Adds what all scenarios share, before any disruption happens. */
export const prepareWorld = async (
  service: TestService,
  { ledger, mails, random }: { ledger: Ledger; mails: MailIndex; random: () => number },
) => {
  await storeSignInPolicy(service, { allow_email_codes: true })
  const admins: Person[] = []
  while (admins.length < administrators)
    admins.push(await addPerson(service, { permissions: ['system:admin-access'] }))
  // The requests of this set-up count as well, so that the audit events agree.
  const { client: setUpClient } = createWatchedClient(ledger, loopback(1), service.url)
  const provider = await addProvider({ ...service, client: setUpClient }, await makeIdp())
  const party = await addRelyingParty(service, { type: 'public' })
  let scenes = 1
  let words = 0

  const openScene = (): Scene & { readonly wasDisturbed: () => boolean } => {
    const { client, wasDisturbed } = createWatchedClient(ledger, loopback(++scenes), service.url)
    const own = { ...service, client }
    return {
      service: own,
      random,
      ledger,
      provider,
      party,
      wasDisturbed,
      word: () => `w${++words}`,
      addUser: (fields) => addPerson(service, fields),
      signInAdmin: async () => {
        const admin = admins[Math.floor(random() * admins.length)]
        if (!admin) throw new Error('there is no administrator')
        return signIn(own, admin)
      },
      readMail: async (address, kind) => {
        const secret = await mails.waitFor(address, kind)
        if (secret === undefined) throw new Interrupted('an email is late')
        return secret
      },
      race: (name, tries, options) => race(ledger, name, tries, options),
    }
  }
  return { openScene }
}

const race = async <Result extends { readonly status: number }>(
  ledger: Ledger,
  name: string,
  tries: readonly (() => Promise<Result>)[],
  { hasWon = ({ status }) => status < 300, canAllLose = false }: RaceOptions<Result> = {},
): Promise<Result | undefined> => {
  ledger.counts.races++
  const results: readonly Result[] = await Promise.all(tries.map((attempt): Promise<Result> => attempt()))
  const winners: Result[] = results.filter((result) => hasWon(result))
  const isUnknown = results.some(({ status }) => isUnclear(status) || status === 429)
  if (winners.length === 0 && !isUnknown && !canAllLose)
    ledger.report(`${name}: no one could use it: ${results.map(({ status }) => status).join()}`)
  const [again] = tries
  const repeated = again && (await again())
  if (repeated && hasWon(repeated)) winners.push(repeated)
  if (winners.length > 1) {
    ledger.counts.spentTwice++
    ledger.report(`${name}: used ${winners.length} times`)
  }
  return winners[0]
}

/** Requires a successful answer. @throws Interrupted if disruptions explain why it is none */
export const succeed = async (answer: Promise<Answer>): Promise<Answer['body']> => {
  const { status, text, body } = await answer
  if (status < 300) return body
  throw new Error(`${status} ${text}`)
}
