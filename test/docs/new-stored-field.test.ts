import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Copy, copyProject, stepsOf } from './carry-out.ts'

const steps = stepsOf('Add a stored field')
const newTest = 'test/functions/session-language.test.ts'

/** What fails for a field that is incomplete. */
const suite = [
  newTest,
  'test/store/codec.test.ts',
  'test/store/store.test.ts',
  'test/store/session-clients.test.ts',
  'test/functions/sessions.test.ts',
  'test/functions/impersonation.test.ts',
  'test/architecture.test.ts',
]

let copy: Copy
beforeAll(() => {
  copy = copyProject(['lib', newTest])
})
afterAll(() => copy.remove())

describe('the steps to add a stored field', () => {
  it('fail to compile without the record', async () => {
    for (const step of steps.slice(1)) copy.apply(step)
    await expect(copy.checkTypes()).rejects.toThrow(newTest)
  })

  it('change three files: the record, the rule and a test', () => {
    for (const step of steps.slice(0, 1)) copy.apply(step)
    const changes = copy.listChanges('a new stored field')
    expect([...changes].sort()).toEqual([
      'lib/accounts/sign-in/sessions.ts',
      'lib/store/sign-in/session-record.ts',
      newTest,
    ])
  })

  it('give a field that compiles, is stored and read, and passes the tests that it can break', async () => {
    await copy.checkTypes()
    await copy.run('vitest', 'run', ...suite)
  }, 300_000)
})
