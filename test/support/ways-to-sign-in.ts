import { randomUUID } from 'node:crypto'
import { findUser } from '../../lib/accounts/users/find-users.records.ts'
import type { UserRecord } from '../../lib/accounts/users/stored-user.records.ts'
import { editUser } from '../../lib/accounts/users/write-users.records.ts'
import { buildCodeRequestStep } from '../../lib/features/sign-in/email-codes.records.ts'
import { hashEmailCode, mintEmailCodeRequest } from '../../lib/kernel/secrets/email-codes.ts'
import { enableSecondFactor } from './authenticator.ts'
import type { TestBrowser } from './browser.ts'
import type { Answer } from './client.ts'
import { makeIdp } from './idp.ts'
import { storeInvitation } from './invitations.ts'
import { addPasskey, startPasskeySignIn } from './passkeys.ts'
import { addPerson, addSignedIn } from './people.ts'
import { addProvider, sessionOf, signInByConnection, startSignIn, userOfSession } from './saml.ts'
import type { TestService } from './service.ts'
import { storeSignInPolicy } from './sign-in-policy.ts'

/** What the answer to a sign-in gave its browser. */
export interface SignInResult {
  readonly status: number
  readonly session: string | undefined
  /** The names of the cookies without a prefix. */
  readonly cookies: readonly string[]
  /** Where the user starts, outside of the service. */
  readonly redirect: string | undefined
}

/** Sends a right proof. A thief of the request sends it again, also with a copy of the browser's cookies. */
export type Proof = (by?: TestBrowser) => Promise<SignInResult>

export interface Account {
  readonly userId: number
  /** Makes a new proof in a browser. */
  readonly prove: (browser: TestBrowser) => Promise<Proof>
}

/** A way to sign in. */
export interface Way {
  readonly name: string
  /** The methods of the session. */
  readonly methods: readonly string[]
  /** The target of the audit event, or what it begins with. */
  readonly target: string | null
  /** Adds an account that signs in this way. */
  readonly addAccount: (service: TestService) => Promise<Account>
}

const nameOfCookie = (line: string): string => (line.split('=')[0] ?? '').replace(/^__Host-/, '')

const toResult = (answer: Answer): SignInResult => ({
  status: answer.status,
  session: answer.body?.session_key ?? sessionOf(answer),
  // The cookie that belongs to the start of a SAML sign-in is removed.
  cookies: answer.cookies.map(nameOfCookie).filter((name) => !name.startsWith('latchkey-saml-')),
  redirect: answer.body?.redirect,
})

/** Sends a request from a page of the service, with the cookies of a browser. */
export const postFromPage = async (
  service: TestService,
  browser: TestBrowser,
  path: string,
  body: object,
): Promise<SignInResult> => {
  const cookie = browser.cookieHeader(path, 'same-origin', 'POST')
  const headers = { 'sec-fetch-site': 'same-origin', ...(cookie === '' ? {} : { cookie }) }
  const answer = await service.client('POST', path, { body, headers })
  browser.keep(answer)
  return toResult(answer)
}

const newEmail = () => `${randomUUID()}@example.com`

const requireUser = async ({ services }: TestService, id: number): Promise<UserRecord> => {
  const user = await findUser(services.table, id)
  if (!user) throw new Error(`the user ${id} was not found`)
  return user
}

export const password: Way = {
  name: 'a password',
  methods: ['pwd'],
  target: null,
  addAccount: async (service) => {
    const { user, password: given } = await addPerson(service)
    const body = { username: user.username, password: given }
    return {
      userId: user.id,
      prove:
        async (browser) =>
        (by = browser) =>
          postFromPage(service, by, '/api/2/auth/login', body),
    }
  },
}

const recoveryCode: Way = {
  name: 'a password and a recovery code',
  methods: ['pwd', 'recovery_code'],
  target: null,
  addAccount: async (service) => {
    const person = await addSignedIn(service)
    const { user } = person
    const codes = [...(await enableSecondFactor(service, person)).recoveryCodes]
    return {
      userId: user.id,
      prove: async (browser) => {
        const body = { username: user.username, password: person.password, otp: codes.pop() }
        return (by = browser) => postFromPage(service, by, '/api/2/auth/login', body)
      },
    }
  },
}

const emailCode: Way = {
  name: 'an emailed code',
  methods: ['email_code'],
  target: 'email_code',
  addAccount: async (service) => {
    await storeSignInPolicy(service, { allow_email_codes: true })
    const { user } = await addPerson(service, { email: newEmail() })
    return {
      userId: user.id,
      prove: async (browser) => {
        const { table, now } = service.services
        const { id: userId, credentialEpoch, normalizedEmail } = await requireUser(service, user.id)
        const { value, hash, salt } = mintEmailCodeRequest()
        const [given, email] = ['12345678', normalizedEmail ?? '']
        const codeHash = hashEmailCode(salt, given) ?? ''
        const code = { codeHash, userId, credentialEpoch, normalizedEmail: email }
        const expiresAt = now() + 600_000
        await table.transact([
          buildCodeRequestStep({ hash, purpose: 'sign_in', attempts: 0, expiresAt, code }),
        ])
        const body = { request_id: value, code: given }
        return (by = browser) => postFromPage(service, by, '/api/2/auth/email-code/login', body)
      },
    }
  },
}

const passkey: Way = {
  name: 'a passkey',
  methods: ['passkey'],
  target: 'passkey:',
  addAccount: async (service) => {
    const person = await addSignedIn(service)
    const { passkey: device } = await addPasskey(service, person)
    return {
      userId: person.user.id,
      prove: async (browser) => {
        const credential = device.get(await startPasskeySignIn(service))
        return (by = browser) => postFromPage(service, by, '/api/2/auth/passkeys/login', { credential })
      },
    }
  },
}

const invitation: Way = {
  name: 'an invitation',
  methods: ['pwd'],
  target: 'invitation',
  addAccount: async (service) => {
    const { user } = await addPerson(service, { email: newEmail() })
    return {
      userId: user.id,
      prove: async (browser) => {
        const token = await storeInvitation(service, user.id)
        const body = { token, password: `a new password ${randomUUID()}` }
        return (by = browser) => postFromPage(service, by, '/api/2/auth/invitation/accept', body)
      },
    }
  },
}

const saml: Way = {
  name: 'an identity provider',
  methods: ['saml'],
  target: 'saml:',
  addAccount: async (service) => {
    const provider = await addProvider(service, await makeIdp())
    const facts = { nameId: newEmail() }
    const { session } = await signInByConnection(service, provider, facts)
    const userId = await userOfSession(service, session)
    if (userId === undefined) throw new Error('the user was not created')
    return {
      userId,
      prove: async (browser) => {
        const { target } = await startSignIn(service, provider, '', browser)
        const { form } = await provider.idp.answer(target, facts)
        // The browser leads to `sso/return`, which sends it on.
        return async (by = browser) => {
          const answer = await by.post(target.acsUrl, form)
          const location = answer.headers.get('location') ?? ''
          const returned = answer.status === 303 ? await by.get(location, 'cross-site') : undefined
          // A product gets a ticket with its URL.
          const [page = ''] = (returned?.headers.get('location') ?? '').split('?')
          const isElsewhere = page.startsWith('http') && !page.startsWith(service.services.config.publicUrl)
          return {
            ...toResult(answer),
            status: answer.status === 303 ? 200 : answer.status,
            redirect: isElsewhere ? page : undefined,
          }
        }
      },
    }
  },
}

/** Each way whose proof works once. */
export const oneTimeWays: readonly Way[] = [recoveryCode, emailCode, passkey, invitation, saml]

/** The five ways to sign in, each alone. */
export const ways: readonly Way[] = [password, emailCode, passkey, invitation, saml]

/** Changes the record of a user without a request. */
export const changeUser = async (
  service: TestService,
  userId: number,
  changes: Parameters<typeof editUser>[2],
): Promise<void> => {
  await editUser(service.services.table, await requireUser(service, userId), changes)
}
