import { exchangeCode, getCode, refresh } from '../support/oidc.ts'
import type { Scenario, Scene } from './driver.ts'
import type { Snapshot } from './model.ts'

const organizations = '/api/2/organizations'
const ownOrganizations = '/api/2/users/me/organizations'

interface Member {
  readonly id: number
  readonly bearer: string
}

const addMembers = async (
  { must, signInNew }: Scene,
  count: number,
): Promise<readonly [Member, ...Member[]]> => {
  const members: Member[] = []
  for (let at = 0; at < count; at++) {
    const bearer = await signInNew()
    members.push({ id: (await must('GET', '/api/2/users/me', { bearer })).id, bearer })
  }
  return members as [Member, ...Member[]]
}

const addOrganization = async (scene: Scene): Promise<number> => {
  const { admin: bearer, word, must, life } = scene
  const slug = word()
  const { id } = await must('POST', organizations, { bearer, body: { name: slug, slug } })
  life.history.push(`organization ${id}`)
  return id
}

/** What is wrong with the counts of an organization, compared with its list and with what each person reads about themselves. */
const compareSides = async (
  { read }: Snapshot,
  { admin, id, people }: { readonly admin: string; readonly id: number; readonly people: readonly Member[] },
): Promise<string | undefined> => {
  const shown = (await read('GET', `${organizations}/${id}`, { bearer: admin })).body
  const listed: { readonly user: { readonly id: number }; readonly roles: readonly string[] }[] = (
    await read('GET', `${organizations}/${id}/members?limit=100`, { bearer: admin })
  ).body
  const hasOwner = listed.some(({ roles }) => roles.includes('owner'))
  if (shown.member_count !== listed.length)
    return `organization ${id} lists ${listed.length} members, and counts ${shown.member_count}`
  if (shown.is_ownerless === hasOwner)
    return `organization ${id} says is_ownerless: ${shown.is_ownerless}, and lists ${hasOwner ? 'an' : 'no'} owner`
  for (const { id: user, bearer } of people) {
    const { body } = await read('GET', ownOrganizations, { bearer })
    const own = body.find((one: { readonly id: number }) => one.id === id)
    const member = listed.find((one) => one.user.id === user)
    const sides = [own?.roles, member?.roles].map((roles) => JSON.stringify(roles?.toSorted()))
    if (sides[0] !== sides[1])
      return `user ${user} reads the roles ${sides[0]} in organization ${id}, which lists ${sides[1]}`
  }
  return undefined
}

/** A sync that repeats its requests adds, changes and removes the same people, while they leave. */
export const churnMembers: Scenario = async (scene) => {
  const { life, admin: bearer, send, random, violate } = scene
  const id = await addOrganization(scene)
  const people = await addMembers(scene, 3)
  life.checks.push((snapshot) => compareSides(snapshot, { admin: bearer, id, people }))
  const list = `${organizations}/${id}/members`
  const add = ({ id: user }: Member, role: string) =>
    send('POST', list, { bearer, body: { user, roles: [role] }, allows: [409] })
  const change = ({ id: user }: Member, role: string) =>
    send('PATCH', `${list}/${user}`, { bearer, body: { roles: [role] }, allows: [404, 409] })
  const remove = ({ id: user }: Member) => send('DELETE', `${list}/${user}`, { bearer, allows: [404, 409] })
  const leave = ({ bearer: own }: Member) =>
    send('DELETE', `${ownOrganizations}/${id}`, { bearer: own, allows: [404, 409] })
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      people.flatMap((one) => [
        add(one, 'owner'),
        remove(one),
        add(one, 'member'),
        change(one, random() < 0.5 ? 'owner' : 'member'),
        leave(one),
      ]),
    )
    for (const one of people) {
      const joins = random() < 0.5
      const { outcome, status } = await (joins ? add(one, 'member') : remove(one))
      const own = await send('GET', ownOrganizations, { bearer: one.bearer })
      // A busy service changes nothing, and neither does the removal of the last owner, nor joining twice.
      const isDecided = outcome === 'acked' || (!joins && status === 404)
      if (life.isUnclear || own.outcome !== 'acked' || !isDecided) continue
      const isShown = own.body.some((shown: { readonly id: number }) => shown.id === id)
      if (isShown !== joins)
        violate(`user ${one.id} is ${isShown ? '' : 'not '}in organization ${id}, expected: ${joins}`)
    }
  }
}

/** Owners remove each other and leave at the same moment. Without an administrator, one of them stays. */
export const keepOwner: Scenario = async (scene) => {
  const { life, admin, must, send } = scene
  const id = await addOrganization(scene)
  const people = await addMembers(scene, 3)
  const list = `${organizations}/${id}/members`
  for (const { id: user } of people)
    await must('POST', list, { bearer: admin, body: { user, roles: ['owner'] } })
  life.checks.push(
    (snapshot) => compareSides(snapshot, { admin, id, people }),
    async ({ read }) =>
      (await read('GET', `${organizations}/${id}`, { bearer: admin })).body.is_ownerless
        ? `organization ${id} lost its last owner`
        : undefined,
  )
  const allows = [403, 404, 409]
  await Promise.all(
    people.flatMap(({ bearer }, at) => {
      const other = people[(at + 1) % people.length]?.id
      const body = { roles: ['member'] }
      return [
        send('DELETE', `${list}/${other}`, { bearer, allows }),
        send('PATCH', `${list}/${other}`, { bearer, body, allows }),
        send('DELETE', `${ownOrganizations}/${id}`, { bearer, allows }),
      ]
    }),
  )
}

/** Somebody is removed and joins again. What clients got for the former membership never works again. */
export const endTokensOfMember: Scenario = async (scene) => {
  const { life, admin, must, send, note, party, url, random } = scene
  const id = await addOrganization(scene)
  const [owner, member] = await addMembers(scene, 2)
  if (!member) return
  const list = `${organizations}/${id}/members`
  const join = ({ id: user }: Member, role: string) =>
    must('POST', list, { bearer: admin, body: { user, roles: [role] } })
  await join(owner, 'owner')
  await join(member, 'member')
  const issue = async () => {
    const client = async (method: string, path: string) => {
      const { status, headers, body } = await send(method, path, { bearer: member.bearer })
      return { status, headers, body, cookies: [], text: '' }
    }
    const wanted = { scope: 'openid organization offline_access', organization: String(id) }
    const code = await getCode({ client }, party, member.bearer, wanted).catch(() => undefined)
    return (
      code && (await note('POST /oauth2/token code', exchangeCode({ url }, party, code), { allows: [400] }))
    )
  }
  const former = await issue()
  if (former?.outcome !== 'acked') return
  const path = `${list}/${member.id}`
  const removed =
    random() < 0.5
      ? await send('DELETE', path, { bearer: owner.bearer, allows: [404] })
      : await send('DELETE', `${ownOrganizations}/${id}`, { bearer: member.bearer, allows: [404] })
  if (removed.outcome !== 'acked') return
  await join(member, 'owner')
  const present = await issue()
  const expectUse = (name: string, token: string, status: 200 | 401) =>
    life.checks.push(async ({ read }) => {
      const answer = await read('GET', '/oauth2/userinfo', { bearer: token })
      return answer.status === status ? undefined : `${name} gets ${answer.status} instead of ${status}`
    })
  expectUse('a token of a former membership', former.body.access_token, 401)
  if (present?.outcome === 'acked')
    expectUse('a token of the present membership', present.body.access_token, 200)
  life.checks.push(async () => {
    const { status } = await refresh({ url }, party, former.body.refresh_token)
    return status === 400 ? undefined : `a refresh token of a former membership gets ${status} instead of 400`
  })
}

/** One address is invited by several people at once, accepts several times, is removed, and is invited again. */
export const inviteAgain: Scenario = async (scene) => {
  const { life, admin, word, must, send, readToken, violate } = scene
  const id = await addOrganization(scene)
  const [owner] = await addMembers(scene, 1)
  const list = `${organizations}/${id}/members`
  await must('POST', list, { bearer: admin, body: { user: owner.id, roles: ['owner'] } })
  const username = word()
  const email = `${username}@example.com`
  const body = { username, email, permissions: [], groups: [] }
  const { id: user } = await must('POST', '/api/2/users', { bearer: admin, body })
  const login = { username, password: 'A long and good password of chaos 2' }
  const set = { password: login.password, password_change_required: false }
  await must('POST', `/api/2/users/${user}/password`, { bearer: admin, body: set })
  const bearer: string = (await must('POST', '/api/2/auth/login', { body: login })).session_key
  const people = [owner, { id: user, bearer }]
  life.checks.push((snapshot) => compareSides(snapshot, { admin, id, people }))
  const invite = () =>
    send('POST', `${organizations}/${id}/invitations`, {
      bearer: owner.bearer,
      body: { email, roles: ['member'] },
      allows: [409],
    })
  const accept = async (token: string) => {
    const shown = await send('POST', '/api/2/auth/organization-invitation', {
      body: { token },
      allows: [400, 404],
    })
    return send('POST', '/api/2/users/me/organization-invitations/accept', {
      bearer,
      body: { token, shown: shown.body?.shown ?? 'a'.repeat(43) },
      event: 'organization.invitation_accepted',
      allows: [400, 403, 404, 409],
    })
  }
  const sent = await Promise.all([invite(), invite(), invite()])
  if (sent.filter(({ outcome }) => outcome === 'acked').length > 1)
    violate('one address has two open invitations')
  const first = await readToken(email, 'lkj_')
  const replies = await Promise.all([accept(first), accept(first), accept(first)])
  const count = replies.filter(({ outcome }) => outcome === 'acked').length
  if (count > 1) violate(`an invitation was accepted ${count} times`)
  if (count === 0) return
  const left = await send('DELETE', `${list}/${user}`, { bearer: owner.bearer, allows: [404] })
  if (left.outcome !== 'acked') return
  if ((await invite()).outcome !== 'acked') return
  const again = await accept(first)
  if (again.outcome === 'acked') violate('the link of a former invitation was accepted again')
}

/**
 * Administrators declare the roles of all organizations at the same moment, each with one role and one permission. Its members
 * never read half of a declaration.
 */
export const declareRoles: Scenario = async (scene) => {
  const { life, admin, must, send, word, violate } = scene
  const id = await addOrganization(scene)
  const [member] = await addMembers(scene, 1)
  const path = '/api/2/organization-roles'
  const [first, ...names] = [word(), word(), word(), word()]
  const declare = (name: string) => {
    const role = { key: 'chaos', texts: { en: 'Chaos' }, permissions: [`chaos:${name}`] }
    const event = 'organization_roles.changed'
    return send('PUT', path, { bearer: admin, body: { roles: [role] }, event, allows: [409] })
  }
  const before = await declare(first)
  if (before.outcome !== 'acked') return
  await must('POST', `${organizations}/${id}/members`, {
    bearer: admin,
    body: { user: member.id, roles: ['chaos'] },
  })
  const headers = { 'latchkey-organization': String(id) }
  const read = async () => {
    const { outcome, body } = await send('GET', '/api/2/users/me', { bearer: member.bearer, headers })
    if (outcome !== 'acked' || life.isUnclear) return
    // Other lives declare their roles as well, so the permission can be theirs. There is always exactly one.
    const { permissions } = body.organization
    if (permissions.length !== 1) violate(`a role with one permission allows ${JSON.stringify(permissions)}`)
  }
  await Promise.all([...names.map(declare), ...names.map(read)])
  for (const _ of names) await read()
}
