import type { Scenario } from './driver.ts'
import { createRegister } from './model.ts'

/** A user is created, renamed and perhaps deleted. Their name is free afterwards, and never taken by half. */
export const changeUser: Scenario = async ({ life, admin: bearer, word, send, turn, violate }) => {
  const username = word()
  const fullName = createRegister('first')
  const isThere = createRegister(false)
  life.checks.push(({ users }) => {
    const user = users.get(username)
    if (!isThere.allows(user !== undefined))
      return `user ${username} is ${user ? 'there' : 'missing'}, expected: ${isThere.show()}`
    if (user && !fullName.allows(user.full_name))
      return `user ${username} has the full name ${user.full_name}, expected: ${fullName.show()}`
    return undefined
  })
  const body = { username, full_name: 'first', permissions: [], groups: [] }
  const created = await send('POST', '/api/2/users', { bearer, body, event: 'user.created' })
  isThere.note(created.outcome, true)
  if (created.outcome !== 'acked') return
  const path = `/api/2/users/${created.body.id}`
  for (let at = 1; at <= 4; at++) {
    const full_name = `name ${at}`
    // A write of an earlier request may still arrive, so that this one conflicts with it.
    const { outcome } = await send('PATCH', path, { bearer, body: { full_name }, event: 'user.changed' })
    fullName.note(outcome, full_name)
    const shown = await send('GET', path, { bearer })
    if (shown.outcome === 'acked' && !fullName.allows(shown.body.full_name))
      violate(`${path} shows ${shown.body.full_name}, expected: ${fullName.show()}`)
  }
  if (turn % 2 === 0) return
  isThere.note((await send('DELETE', path, { bearer, event: 'user.deleted' })).outcome, false)
  if (isThere.allows(true)) return
  await send('GET', path, { bearer, allows: [404] })
  fullName.note('acked', 'again')
  const again = { bearer, body: { ...body, full_name: 'again' }, event: 'user.created' }
  isThere.note((await send('POST', '/api/2/users', again)).outcome, true)
}

/** Users join and leave a group from both sides, and the group may be deleted. */
export const changeGroup: Scenario = async ({ life, admin: bearer, word, send, must, turn }) => {
  const name = word()
  const { id: group } = await must('POST', '/api/2/groups', {
    bearer,
    body: { name },
    event: 'group.created',
  })
  const isThere = createRegister(true)
  const usernames = [word(), word()]
  const memberships = usernames.map(() => createRegister(false))
  life.checks.push(({ groups, users }) => {
    const shown = groups.get(name)
    if (!isThere.allows(shown !== undefined))
      return `group ${name} is ${shown ? 'there' : 'missing'}, expected: ${isThere.show()}`
    for (const [at, username] of usernames.entries()) {
      const user = users.get(username)
      if (!user) continue
      const isMember = shown?.members.includes(user.id) ?? false
      const hasGroup = user.groups.includes(group)
      if (isMember !== hasGroup) return `user ${username} and group ${name} disagree about the membership`
      if (shown && !memberships[at]?.allows(isMember))
        return `user ${username} is ${isMember ? '' : 'not '}in group ${name}, expected: ${memberships[at]?.show()}`
    }
    return undefined
  })
  const ids: number[] = []
  for (const [at, username] of usernames.entries()) {
    const groups = at === 0 ? [group] : []
    const body = { username, permissions: [], groups }
    const created = await send('POST', '/api/2/users', { bearer, body, event: 'user.created' })
    memberships[at]?.note(created.outcome, at === 0)
    if (created.outcome !== 'acked') return
    ids.push(created.body.id)
  }
  const steps = [
    { path: `/api/2/groups/${group}`, body: { members: ids.map((id) => ({ id })) }, after: [true, true] },
    { path: `/api/2/users/${ids[0]}`, body: { groups: [] }, after: [false, undefined] },
    { path: `/api/2/users/${ids[0]}`, body: { groups: [group] }, after: [true, undefined] },
    { path: `/api/2/groups/${group}`, body: { members: [{ id: ids[0] }] }, after: [true, false] },
  ]
  for (const { path, body, after } of steps) {
    // A request leaves no event if it changes nothing, because an earlier one did it without an answer or was refused.
    const isChange = after.some((value, at) => value !== undefined && !memberships[at]?.allows(value))
    const event = path.includes('groups') ? 'group.changed' : 'user.changed'
    const { outcome } = await send('PATCH', path, { bearer, body, ...(isChange ? { event } : {}) })
    // A write of an earlier request may still arrive, and only a request that wrote something itself prevents that.
    const known = outcome === 'acked' && !isChange ? 'unknown' : outcome
    for (const [at, value] of after.entries()) if (value !== undefined) memberships[at]?.note(known, value)
  }
  if (turn % 2 === 0) return
  const deleted = await send('DELETE', `/api/2/groups/${group}`, { bearer, event: 'group.deleted' })
  isThere.note(deleted.outcome, false)
}

/** Three managers create a user with one name. */
export const raceForName: Scenario = async ({ life, admin: bearer, word, send, violate }) => {
  const username = word()
  const create = (at: number) => {
    const body = { username: at === 1 ? username.toUpperCase() : username, permissions: [], groups: [] }
    return send('POST', '/api/2/users', { bearer, body, event: 'user.created', allows: [409] })
  }
  const replies = await Promise.all([0, 1, 2].map(create))
  const winners = replies.filter(({ outcome }) => outcome === 'acked')
  if (winners.length > 1) violate(`${winners.length} users got one name`)
  if (winners.length === 0 && replies.every(({ status }) => status === 409)) violate('no one got a free name')
  life.checks.push(({ users }) => {
    const found = [...users.values()].filter((user) => user.username.toLowerCase() === username.toLowerCase())
    if (found.length > 1) return `${found.length} users have the name ${username}`
    const [winner] = winners
    return winner && found[0]?.id !== winner.body.id ? `the winner of ${username} is missing` : undefined
  })
}
