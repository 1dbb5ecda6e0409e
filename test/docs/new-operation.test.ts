import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Copy, copyProject, filesOf, stepsOf } from './carry-out.ts'

const steps = stepsOf('Add an operation')

/** What fails for an operation that is incomplete. */
const suite = [
  'test/functions/own-detail.test.ts',
  'test/contract/',
  'test/docs/reference.test.ts',
  'test/attacks/access-matrix.test.ts',
  'test/journeys/roles.test.ts',
  'test/architecture.test.ts',
]

let copy: Copy
beforeAll(() => {
  copy = copyProject(['lib', 'functions/users', 'test/functions/own-detail.test.ts'])
})
afterAll(() => copy.remove())

describe('the steps to add an operation', () => {
  it('add exactly one declaration, one use case, one entry, one decision and a test', () => {
    expect(filesOf(steps)).toEqual([
      'lib/contract/operations/users.ts',
      'lib/contract/operations/users.ts',
      'functions/users/own-detail.ts',
      'functions/users/index.ts',
      'functions/users/index.ts',
      'test/attacks/access-decisions.ts',
      'test/functions/own-detail.test.ts',
    ])
  })

  it('fail to compile without the use case', async () => {
    for (const step of steps.slice(0, 2)) copy.apply(step)
    await expect(copy.checkTypes()).rejects.toThrow('functions/users/index.ts')
  })

  it('give an operation that compiles, has a reference, and passes the tests that it can break', async () => {
    for (const step of steps.slice(2)) copy.apply(step)
    await copy.checkTypes()
    await copy.run('node', 'build/docs/write.ts')
    expect(copy.read('docs/reference/operations.md')).toContain('### get_own_detail')
    await copy.run('vitest', 'run', ...suite)
  }, 300_000)
})
