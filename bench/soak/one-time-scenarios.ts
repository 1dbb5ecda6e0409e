import { enableSecondFactor } from '../../test/support/authenticator.ts'
import { exchangeCode, getCode, refresh } from '../../test/support/oidc.ts'
import { signIn } from '../../test/support/people.ts'
import { sessionOf, startSignIn } from '../../test/support/saml.ts'
import { type Scene, succeed } from './world.ts'

export type Scenario = (scene: Scene) => Promise<void>

const newPassword = (word: string) => `Another good and long password ${word}`

/** Two servers check one ticket. */
export const exchangeTicket: Scenario = async ({ service, addUser, race }) => {
  const bearer = await signIn(service, await addUser())
  const { ticket } = await succeed(service.client('POST', '/api/2/auth/ticket', { bearer, body: {} }))
  const check = () => service.client('POST', '/api/2/auth/ticket/check', { body: { ticket } })
  await race('ticket', [check, check])
}

/** Two people with one reset link choose a password. The one who succeeded signs in with theirs. */
export const resetPassword: Scenario = async ({ service, addUser, readMail, race, word, ledger }) => {
  const email = `${word()}@example.com`
  const person = await addUser({ email })
  const bearer = await signIn(service, person)
  const request = { username: person.user.username }
  await succeed(service.client('POST', '/api/2/auth/reset-password/request', { body: request }))
  const token = await readMail(email, 'token')
  const reset = (password: string) => async () => ({
    ...(await service.client('POST', '/api/2/auth/reset-password', { body: { token, password } })),
    password,
  })
  const winner = await race('reset link', [reset(newPassword(word())), reset(newPassword(word()))])
  if (!winner) return
  ledger.endedBearers.push(bearer)
  await signIn(service, { ...person, password: winner.password })
}

/** Two people accept one invitation. */
export const acceptInvitation: Scenario = async ({ service, signInAdmin, readMail, race, word }) => {
  const bearer = await signInAdmin()
  const username = word()
  const email = `${username}@example.com`
  const body = { username, email, permissions: [], groups: [], invite: true }
  await succeed(service.client('POST', '/api/2/users', { bearer, body }))
  const token = await readMail(email, 'token')
  const accept = (password: string) => async () => ({
    ...(await service.client('POST', '/api/2/auth/invitation/accept', { body: { token, password } })),
    password,
  })
  const winner = await race('invitation', [accept(newPassword(word())), accept(newPassword(word()))])
  if (winner)
    await succeed(
      service.client('POST', '/api/2/auth/login', { body: { username, password: winner.password } }),
    )
}

/** Two browsers sign in with one emailed code. */
export const signInByEmail: Scenario = async ({ service, addUser, readMail, race, word }) => {
  const email = `${word()}@example.com`
  const { user } = await addUser({ email })
  const request = { username: user.username }
  const { request_id } = await succeed(service.client('POST', '/api/2/auth/email-code', { body: request }))
  const code = await readMail(email, 'code')
  const login = () => service.client('POST', '/api/2/auth/email-code/login', { body: { request_id, code } })
  await race('emailed code', [login, login])
}

/** Two browsers sign in with one recovery code. */
export const useRecoveryCode: Scenario = async ({ service, addUser, race }) => {
  const person = await addUser()
  const bearer = await signIn(service, person)
  const { recoveryCodes } = await enableSecondFactor(service, { ...person, bearer })
  const [otp] = recoveryCodes
  const body = { username: person.user.username, password: person.password, otp }
  const login = () => service.client('POST', '/api/2/auth/login', { body })
  await race('recovery code', [login, login])
}

/**
 * Two servers exchange one code of OpenID Connect. A second use ends what the first one gave. Two pages use one refresh token:
 * both get the same next one, and after that is used, nothing.
 */
export const exchangeOAuthCode: Scenario = async ({ service, addUser, race, party, ledger }) => {
  const bearer = await signIn(service, await addUser())
  const issued = await getCode(service, party, bearer, { scope: 'openid offline_access' })
  const note = async <Result extends { readonly status: number }>(answer: Promise<Result>) => {
    const result = await answer
    ledger.noteStatus(result.status)
    return result
  }
  const exchange = () => note(exchangeCode(service, party, issued))
  const single = await getCode(service, party, bearer, { scope: 'openid offline_access' })
  await race('code', [exchange, exchange], { canAllLose: true })
  const tokens = await note(exchangeCode(service, party, single))
  if (tokens.status !== 200) return
  const renew = () => note(refresh(service, party, tokens.body.refresh_token))
  const answers = await Promise.all([renew(), renew()])
  const next = new Set(answers.flatMap(({ status, body }) => (status === 200 ? [body.refresh_token] : [])))
  if (next.size > 1) ledger.report('refresh token: a repetition gave another one')
  const [successor] = next
  if (successor === undefined || (await note(refresh(service, party, successor))).status !== 200) return
  if ((await renew()).status === 200) ledger.report('refresh token: used after the next one')
}

/** One response of an identity provider is posted twice. */
export const replaySamlResponse: Scenario = async ({ service, provider, race, word }) => {
  const { browser, target } = await startSignIn(service, provider)
  const sent = await provider.idp.answer(target, { nameId: `${word()}@example.com` })
  const post = () => browser.post(target.acsUrl, sent.form)
  await race('SAML response', [post, post], { hasWon: (answer) => sessionOf(answer) !== undefined })
}
