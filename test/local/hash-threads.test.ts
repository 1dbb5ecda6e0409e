import { afterEach, describe, expect, it } from 'vitest'
import { BusyError } from '../../lib/kernel/errors/errors.ts'
import { verifyPassword } from '../../lib/kernel/secrets/passwords.ts'
import { type HashThreads, type HashThreadsOptions, startHashThreads } from '../../local/hash-threads.ts'
import { waitFor } from '../support/wait-for.ts'

const threadUrl = new URL('../support/fixtures/hash-thread.ts', import.meta.url)

let threads: HashThreads
let failures: string[]
afterEach(() => threads.close())

const start = (options: HashThreadsOptions = {}): void => {
  const ownFailures: string[] = []
  failures = ownFailures
  threads = startHashThreads({ onFailure: (reason) => ownFailures.push(reason), ...options })
}

const hash = (password: string) => threads.hash(password, 4)

describe('threads', () => {
  it('hash passwords as this thread does, and check them', async () => {
    start()
    const stored = await hash('correct horse battery')
    expect(await verifyPassword('correct horse battery', stored, 4)).toBe(true)
    expect(await threads.verify('correct horse battery', stored, 4)).toBe(true)
    expect(await threads.verify('wrong horse battery', stored, 4)).toBe(false)
    expect(await threads.verify('of an unknown user', undefined, 4)).toBe(false)
  })

  it('are started when jobs need them, up to the limit', async () => {
    start({ threadUrl, maxThreads: 2 })
    expect(threads.count()).toBe(0)
    await hash('first')
    await hash('second')
    expect(threads.count()).toBe(1)
    await Promise.all(['a', 'b', 'c', 'd'].map(hash))
    expect(threads.count()).toBe(2)
  })

  it('take jobs in the order of their arrival', async () => {
    start({ threadUrl, maxThreads: 1 })
    const order: string[] = []
    const passwords = Array.from({ length: 20 }, (_, at) => `password ${at}`)
    await Promise.all(passwords.map(async (password) => order.push(await hash(password))))
    expect(order).toEqual(passwords)
  })

  it('continue after a job that fails', async () => {
    start({ threadUrl, maxThreads: 1 })
    await expect(hash('fail')).rejects.toThrow('failed on purpose')
    expect(await hash('next')).toBe('next')
    expect(failures).toEqual([])
  })

  it.each([
    ['crash', 'crashed on purpose'],
    ['exit', 'It exited.'],
  ])('are replaced when they %s, and only their job fails', async (password, cause) => {
    start({ threadUrl, maxThreads: 1 })
    const [ended, next] = await Promise.allSettled([hash(password), hash('next')])
    expect(ended).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining(cause) } })
    expect(next).toEqual({ status: 'fulfilled', value: 'next' })
    expect(failures).toEqual([expect.stringContaining(cause)])
  })
})

describe('too many jobs', () => {
  it('are refused, and the caller can try again', async () => {
    start({ threadUrl, maxThreads: 1, maxWaiting: 2 })
    const accepted = Promise.allSettled([hash('never'), hash('a'), hash('b')])
    await expect(hash('c')).rejects.toThrow(BusyError)
    await threads.close()
    expect((await accepted).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  })

  it('are refused before the gateway stops waiting for them, also while all threads are busy', async () => {
    start({ threadUrl, maxThreads: 1, maxWaitMs: 10 })
    const running = Promise.allSettled([hash('never')])
    await expect(hash('late')).rejects.toThrow(BusyError)
    await threads.close()
    expect((await running).map(({ status }) => status)).toEqual(['rejected'])
  })
})

it('closing rejects running and waiting jobs, and ends the threads', async () => {
  start({ threadUrl, maxThreads: 1 })
  const settled = Promise.allSettled([hash('never'), hash('waits')])
  await waitFor(() => expect(threads.count()).toBe(1))
  await threads.close()
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(threads.count()).toBe(0)
  await expect(hash('late')).rejects.toThrow('stopping')
  expect(failures).toEqual([])
})
