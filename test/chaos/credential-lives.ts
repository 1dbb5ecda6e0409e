import { bundle, linksPath } from '../support/links.ts'
import { exchangeCode, getCode, refresh } from '../support/oidc.ts'
import type { Scenario, Scene } from './driver.ts'
import type { Reply } from './model.ts'

const me = '/api/2/users/me'

/** Checks at the end whether a credential works. */
const expectCredential = ({ life }: Scene, name: string, bearer: string, status: 200 | 401): void => {
  life.checks.push(async ({ read }) => {
    const answer = await read('GET', me, { bearer })
    return answer.status === status ? undefined : `${name} gets ${answer.status} instead of ${status}`
  })
}

/** Requires that something that works once worked at most once, and once unless an answer is unclear. */
const requireOneWinner = (
  { violate }: Scene,
  name: string,
  replies: readonly Reply[],
  max = 1,
): Reply | undefined => {
  const winners = replies.filter(({ outcome }) => outcome === 'acked')
  const isClear = replies.every(
    ({ outcome, status }) => outcome === 'acked' || (status >= 400 && status < 429),
  )
  if (winners.length > max) violate(`${name} was used ${winners.length} times, allowed: ${max}`)
  if (winners.length < max && isClear) violate(`${name} was used ${winners.length} times, expected: ${max}`)
  return winners[0]
}

/** Two sessions of a user, of which one ends. */
export const signInAndOut: Scenario = async (scene) => {
  const { send, must, signInNew } = scene
  const [ended, other] = [await signInNew(), await signInNew()]
  expectCredential(scene, 'a live session', other, 200)
  await must('GET', me, { bearer: ended })
  const logout = await send('POST', '/api/2/auth/logout', { bearer: ended, event: 'logout.succeeded' })
  if (logout.outcome !== 'acked') return
  expectCredential(scene, 'an ended session', ended, 401)
  const after = await send('GET', me, { bearer: ended, allows: [401] })
  if (after.outcome === 'acked') scene.violate('an ended session is accepted')
}

/** Three servers exchange one ticket, and a fourth one comes later. */
export const exchangeTicket: Scenario = async (scene) => {
  const { send, must, signInNew } = scene
  const bearer = await signInNew()
  const { ticket } = await must('POST', '/api/2/auth/ticket', { bearer, body: {}, event: 'ticket.created' })
  const check = () =>
    send('POST', '/api/2/auth/ticket/check', { body: { ticket }, event: 'ticket.exchanged', allows: [404] })
  const replies = await Promise.all([check(), check(), check()])
  requireOneWinner(scene, 'a ticket', [...replies, await check()])
}

/** More people open a link than its limit allows. */
export const redeemLink: Scenario = async (scene) => {
  const { life, send, must, signInNew, random } = scene
  const bearer = await signInNew(['media:access'])
  const limit = 1 + Math.floor(random() * 3)
  const body = { bundles: [bundle()], view_limit: limit }
  const { id, token } = await must('POST', linksPath, { bearer, body, event: 'access_token.created' })
  const redeem = () =>
    send('POST', `${linksPath}/redeem`, { body: { token }, event: 'access_token.redeemed', allows: [404] })
  const replies = await Promise.all(Array.from({ length: limit + 2 }, redeem))
  requireOneWinner(scene, 'a link', replies, limit)
  const count = (wanted: Reply['outcome']) => replies.filter(({ outcome }) => outcome === wanted).length
  life.checks.push(async ({ read }) => {
    const { view_limit_left: left } = (await read('GET', `${linksPath}/${id}`, { bearer })).body
    const most = limit - count('acked')
    return left <= most && left >= Math.max(0, most - count('unknown'))
      ? undefined
      : `${left} of ${limit} views are left after ${count('acked')} and perhaps ${count('unknown')} more`
  })
}

/** An API token works until it is deleted. */
export const useApiToken: Scenario = async (scene) => {
  const { send, must, signInNew } = scene
  const bearer = await signInNew()
  const { id, token } = await must('POST', '/api/2/api-tokens', {
    bearer,
    body: { name: 'Sync' },
    event: 'api_token.created',
  })
  await must('GET', me, { bearer: token })
  if (scene.turn % 2 === 0) return expectCredential(scene, 'an API token', token, 200)
  const { outcome } = await send('DELETE', `/api/2/api-tokens/${id}`, { bearer, event: 'api_token.deleted' })
  if (outcome === 'acked') expectCredential(scene, 'a deleted API token', token, 401)
}

/** Three people accept one invitation. The password of the one who did signs in. */
export const acceptInvitation: Scenario = async (scene) => {
  const { admin: bearer, word, send, must, readToken } = scene
  const username = word()
  const email = `${username}@example.com`
  const body = { username, email, permissions: [], groups: [], invite: true }
  await must('POST', '/api/2/users', { bearer, body, event: 'user.created' })
  const token = await readToken(email)
  const accept = async (at: number) => {
    const password = `A long and good password, number ${at}`
    const options = { body: { token, password }, event: 'invitation.accepted', allows: [400, 409] }
    return { ...(await send('POST', '/api/2/auth/invitation/accept', options)), password }
  }
  const replies = await Promise.all([0, 1, 2].map(accept))
  requireOneWinner(scene, 'an invitation', replies)
  const winner = replies.find(({ outcome }) => outcome === 'acked')
  if (!winner) return
  const login = { username, password: winner.password }
  await must('POST', '/api/2/auth/login', { body: login, event: 'login.succeeded' })
}

/** One code is exchanged three times. One refresh token is used again, which ends the grant. */
export const rotateTokens: Scenario = async (scene) => {
  const { party, url, note, must, signInNew, send, violate } = scene
  const bearer = await signInNew()
  const issue = async () => {
    const client = async (method: string, path: string) => {
      const { status, headers, body } = await send(method, path, { bearer })
      return { status, headers, body, cookies: [], text: '' }
    }
    return getCode({ client }, party, bearer, { scope: 'openid offline_access' }).catch(() => undefined)
  }
  const [raced, single] = [await issue(), await issue()]
  if (!raced || !single) return
  const exchange = (code: typeof raced) =>
    note('POST /oauth2/token code', exchangeCode({ url }, party, code), { allows: [400] })
  const replies = await Promise.all([exchange(raced), exchange(raced), exchange(raced)])
  if (replies.filter(({ outcome }) => outcome === 'acked').length > 1) violate('a code was exchanged twice')
  const first = await exchange(single)
  const renew = (token: string) =>
    note('POST /oauth2/token refresh', refresh({ url }, party, token), { allows: [400] })
  if (first.outcome !== 'acked') return
  const second = await renew(first.body.refresh_token)
  if (second.outcome !== 'acked') return
  await must('GET', me, { bearer })
  const repeated = await renew(first.body.refresh_token)
  if (repeated.outcome === 'acked' && repeated.body.refresh_token !== second.body.refresh_token)
    violate('a repetition gave another refresh token')
  const third = await renew(second.body.refresh_token)
  if (third.outcome !== 'acked') return
  const reused = await renew(first.body.refresh_token)
  if (reused.outcome === 'acked') violate('a refresh token was used twice')
  if (reused.status !== 400) return
  if ((await renew(third.body.refresh_token)).outcome === 'acked')
    violate('a reused token did not end its grant')
}
