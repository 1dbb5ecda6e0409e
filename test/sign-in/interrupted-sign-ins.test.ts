import { afterEach, describe, expect, it } from 'vitest'
import { findSessions } from '../../lib/accounts/sessions/find-sessions.records.ts'
import { TestBrowser } from '../support/browser.ts'
import { hasStep, useWatchedService } from '../support/watched-table.ts'
import { changeUser, oneTimeWays } from '../support/ways-to-sign-in.ts'

/* The table fails, loses an answer, or changes at the moment when a sign-in is committed. */

const service = await useWatchedService({ PUBLIC_URL: 'https://auth.example.com' })
afterEach(() => service.restore())

const countSessions = async (userId: number): Promise<number> =>
  (await findSessions(service.services.table, userId, 100)).length

describe.each(oneTimeWays)('a sign-in with $name', ({ addAccount }) => {
  it('succeeds if the table fails after the commit', async () => {
    const { userId, prove } = await addAccount(service)
    const send = await prove(new TestBrowser(service))
    const before = await countSessions(userId)
    service.failAfter(hasStep('Put', `user#${userId}`))
    const { status, session } = await send()
    service.restore()
    expect(status).toBe(200)
    expect(await countSessions(userId)).toBe(before + 1)
    expect((await service.client('GET', '/api/2/users/me', { bearer: session ?? '' })).body.id).toBe(userId)
  })

  it('opens one session if the answer to the commit is lost', async () => {
    const { userId, prove } = await addAccount(service)
    const send = await prove(new TestBrowser(service))
    const before = await countSessions(userId)
    const isCommit = hasStep('Put', `user#${userId}`)
    let lost = 0
    service.loseAnswers((call) => isCommit(call) && lost++ === 0)
    const { status } = await send()
    service.restore()
    expect(status).toBe(200)
    // The table client sent the transaction again.
    expect(lost).toBe(2)
    expect(await countSessions(userId)).toBe(before + 1)
    expect((await send()).session).toBeUndefined()
  })

  it('checks the account again after a conflict', async () => {
    const { userId, prove } = await addAccount(service)
    const send = await prove(new TestBrowser(service))
    const before = await countSessions(userId)
    let isChanged = false
    service.justBefore(hasStep('Put', `user#${userId}`), async () => {
      isChanged = true
      // A new password and an end of the account, as an administrator does.
      const user = await service.services.table.get({ pk: `user#${userId}`, sk: 'user' })
      await service.services.table.update({ pk: `user#${userId}`, sk: 'user' }, (x) => ({
        set: [
          `${x.path('credentialEpoch')} = ${x.value(Number(user?.['credentialEpoch']) + 1)}`,
          `${x.path('is_enabled')} = ${x.value(false)}`,
          `${x.path('version')} = ${x.path('version')} + ${x.value(1)}`,
        ],
      }))
    })
    const { status, session } = await send()
    service.restore()
    expect({ isChanged, session }).toEqual({ isChanged: true, session: undefined })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(await countSessions(userId)).toBe(before)
  })

  it('succeeds although its user is edited at the same time', async () => {
    const { userId, prove } = await addAccount(service)
    const send = await prove(new TestBrowser(service))
    const before = await countSessions(userId)
    service.justBefore(hasStep('Put', `user#${userId}`), () =>
      changeUser(service, userId, { full_name: 'Ada Lovelace' }),
    )
    const { status } = await send()
    service.restore()
    expect(status).toBe(200)
    expect(await countSessions(userId)).toBe(before + 1)
  })
})
