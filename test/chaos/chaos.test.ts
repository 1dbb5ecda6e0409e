import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findHalfMade } from '../../bench/soak/read-back.ts'
import type { Answer, JsonValue } from '../support/client.ts'
import * as credentials from './credential-lives.ts'
import * as directory from './directory-lives.ts'
import type { Lie, Scenario } from './driver.ts'
import { chaosScenarios } from './feature-scenarios.ts'
import * as memberships from './membership-lives.ts'
import { disruptionKinds } from './proxy.ts'
import { runChaos } from './run-chaos.ts'
import { startDisturbedWorld, startKilledWorld, type World } from './worlds.ts'

/** On a busy machine, a storm takes many times as long as on a quiet one. */
const timeout = 600_000

/* The storms are counted in operations, so that a slow machine runs the same ones. `npm run chaos` runs longer ones. */

let world: World
beforeAll(async () => {
  world = await startDisturbedWorld(11)
})
afterAll(() => world.close())

const wasSeen = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.keys(counts).filter((kind) => counts[kind])

it('loses, doubles and revives nothing while disruptions of all kinds disturb the table', {
  timeout,
}, async () => {
  const goesOn = (operations: number) => operations < 300
  const report = await runChaos({ world, seed: 11, inFlight: 9, goesOn })
  expect(report.details.join('\n\n')).toBe('')
  expect(wasSeen(report.disruptions)).toEqual(Object.keys(disruptionKinds))
  expect(report.counts.acked).toBeGreaterThan(100)
})

it('loses, doubles and revives nothing while the service and its engine are killed', {
  timeout,
}, async () => {
  const killed = await startKilledWorld(12)
  try {
    const goesOn = (operations: number) => operations < 220
    const report = await runChaos({ world: killed, seed: 12, inFlight: 6, goesOn })
    expect(report.details.join('\n\n')).toBe('')
    expect(wasSeen(report.disruptions)).toHaveLength(4)
    expect(report.counts.acked).toBeGreaterThan(100)
    const restored = (await killed.readBackup?.()) ?? []
    expect(restored.filter(({ sk }) => sk === 'user').length).toBeGreaterThan(5)
    expect(findHalfMade(restored)).toEqual([])
  } finally {
    await killed.close()
  }
})

const fake = (status: number, body: JsonValue): Answer => ({
  status,
  body,
  headers: new Headers({ 'x-request-id': `fake-${Math.random()}` }),
  cookies: [],
  text: '',
})

/** Answers like the first success of an operation when it is refused later. */
const repeatSuccess = (method: string, path: RegExp, refusals: readonly number[]): Lie => {
  let success: Answer | undefined
  return async (sentMethod, sentPath, send) => {
    const answer = await send()
    if (sentMethod !== method || !path.test(sentPath)) return answer
    if (answer.status < 300) success ??= answer
    return refusals.includes(answer.status) && success ? success : answer
  }
}

/** Changes the body of an answer. */
const alter =
  (method: string, path: RegExp, change: (body: JsonValue) => JsonValue): Lie =>
  async (sentMethod, sentPath, send) => {
    const answer = await send()
    return sentMethod === method && path.test(sentPath) && answer.status === 200
      ? { ...answer, body: change(answer.body) }
      : answer
  }

/** Answers with success, and does nothing. */
const skip =
  (method: string, path: RegExp, status: number): Lie =>
  async (sentMethod, sentPath, send) =>
    sentMethod === method && path.test(sentPath) ? fake(status, {}) : send()

/** Each with the scenario that finds it. */
const lies: readonly (readonly [mistake: string, scenario: Scenario, found: RegExp, lie: Lie])[] = [
  [
    'loses an acknowledged change',
    directory.changeUser,
    /shows first, expected: "name 1"/,
    skip('PATCH', /\/users\/\d+$/, 200),
  ],
  [
    'loses a deletion',
    directory.changeUser,
    /is there, expected: false/,
    skip('DELETE', /\/users\/\d+$/, 204),
  ],
  [
    'exchanges a ticket twice',
    credentials.exchangeTicket,
    /a ticket was used [2-4] times, allowed: 1/,
    repeatSuccess('POST', /\/ticket\/check$/, [404]),
  ],
  [
    'opens a link too often',
    credentials.redeemLink,
    /a link was used \d times, allowed/,
    repeatSuccess('POST', /\/redeem$/, [404]),
  ],
  [
    'accepts an invitation twice',
    credentials.acceptInvitation,
    /an invitation was used 3 times/,
    repeatSuccess('POST', /\/invitation\/accept$/, [400, 409]),
  ],
  [
    'gives one name twice',
    directory.raceForName,
    /3 users got one name/,
    repeatSuccess('POST', /\/api\/2\/users$/, [409]),
  ],
  [
    'forgets an audit event',
    credentials.exchangeTicket,
    /left 0 events ticket\.exchanged/,
    alter('GET', /audit-events/, (events: JsonValue[]) =>
      events.filter(({ event }) => event !== 'ticket.exchanged'),
    ),
  ],
  [
    'writes an audit event twice',
    directory.changeGroup,
    /left 2 events group\.created/,
    alter('GET', /audit-events/, (events: JsonValue[]) => [
      ...events,
      ...events.filter(({ event }) => event === 'group.created'),
    ]),
  ],
  [
    'revives a session',
    credentials.signInAndOut,
    /an ended session (is accepted|gets 200)/,
    repeatSuccess('GET', /\/users\/me$/, [401]),
  ],
  [
    'lets a group forget its members',
    directory.changeGroup,
    /disagree about the membership/,
    alter('GET', /\/groups\?/, (groups: JsonValue[]) => groups.map((group) => ({ ...group, members: [] }))),
  ],
  [
    'counts the members of an organization wrong',
    memberships.churnMembers,
    /lists \d members, and counts \d/,
    alter('GET', /\/organizations\/\d+$/, (organization: JsonValue) => ({
      ...organization,
      member_count: organization.member_count + 1,
    })),
  ],
  [
    'says that an organization without owners has one',
    memberships.keepOwner,
    /says is_ownerless: true, and lists an owner/,
    alter('GET', /\/organizations\/\d+$/, (organization: JsonValue) => ({
      ...organization,
      is_ownerless: true,
    })),
  ],
  [
    'removes a member on one side',
    memberships.churnMembers,
    /reads the roles .*, which lists/,
    alter('GET', /\/users\/me\/organizations$/, () => []),
  ],
  [
    'accepts an invitation to an organization again',
    memberships.inviteAgain,
    /an invitation was accepted [23] times/,
    repeatSuccess('POST', /\/organization-invitations\/accept$/, [400, 403, 404, 409]),
  ],
  [
    'keeps the tokens of a former membership',
    memberships.endTokensOfMember,
    /a token of a former membership gets 200 instead of 401/,
    async (_, path, send) => {
      const answer = await send()
      return path === '/oauth2/userinfo' && answer.status === 401 ? fake(200, {}) : answer
    },
  ],
  [
    'shows half of a declaration of roles',
    memberships.declareRoles,
    /a role with one permission allows \[\]/,
    alter('GET', /\/users\/me$/, (user: JsonValue) =>
      user.organization ? { ...user, organization: { ...user.organization, permissions: [] } } : user,
    ),
  ],
  [
    'loses a user',
    directory.changeUser,
    /is missing, expected: true/,
    alter('GET', /\/users\?limit=/, (users: JsonValue[]) => users.slice(0, 1)),
  ],
]

describe('the checks find a service that', () => {
  let seed = 100
  // Without a storm, every email arrives, however busy the machine is.
  const calm = (): World => ({ ...world, setStorm: async () => {}, mailWaitMs: 60_000 })
  it.each(lies)('%s', { timeout }, async (_, scenario, found, lie) => {
    // It runs twice, because every second one ends in another way.
    const report = await runChaos({
      world: calm(),
      seed: seed++,
      inFlight: 2,
      goesOn: (operations) => operations < 1,
      scenarios: [scenario],
      lie,
    })
    expect(report.details.join('\n')).toMatch(found)
  })

  it('does what it says, as right', { timeout }, async () => {
    const goesOn = (operations: number) => operations < 1
    const report = await runChaos({
      world: calm(),
      seed: seed++,
      inFlight: 2 * chaosScenarios.length,
      goesOn,
    })
    expect(report.details).toEqual([])
    expect(report.counts.unknown).toBe(0)
  })
})
