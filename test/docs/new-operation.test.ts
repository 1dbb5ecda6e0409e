import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Copy, copyProject, stepsOf } from './carry-out.ts'

const steps = stepsOf('Add an operation')

/** What fails for an operation that is incomplete. */
const suite = [
  'test/functions/own-detail.test.ts',
  'test/functions/open-api.test.ts',
  'test/contract/',
  'test/docs/reference.test.ts',
  'test/attacks/access-matrix.test.ts',
  'test/journeys/roles.test.ts',
  'test/typed-client/contents.test.ts',
  'test/local/routes.test.ts',
  'test/architecture.test.ts',
]
const filesByHand = [
  'functions/users/me.ts',
  'lib/contract/operations/users.ts',
  'test/functions/own-detail.test.ts',
]

let copy: Copy
beforeAll(() => {
  copy = copyProject(['lib', 'functions/users', 'test/functions/own-detail.test.ts'])
})
afterAll(() => copy.remove())

describe('the steps to add an operation', () => {
  it('fail to compile without the use case', async () => {
    for (const step of steps.slice(0, 2)) copy.apply(step)
    await expect(copy.checkTypes()).rejects.toThrow('functions/users/index.ts')
  })

  it('change three files by hand: the declaration, the use case and a test', () => {
    for (const step of steps.slice(2)) copy.apply(step)
    expect([...copy.listChanges('a new operation')].sort()).toEqual(filesByHand)
  })

  it('change the reference, which is generated', async () => {
    await copy.run('node', 'build/docs/write.ts')
    const changes = copy.listChanges('a new operation, with its generated reference')
    expect(changes.filter((path) => !filesByHand.includes(path)).sort()).toEqual([
      'docs/reference/interface.json',
      'docs/reference/operations.md',
      'docs/reference/scopes.md',
    ])
    expect(copy.read('docs/reference/operations.md')).toContain('### get_own_detail')
  })

  it('give an operation that compiles, and passes the tests that it can break', async () => {
    await copy.checkTypes()
    await copy.run('vitest', 'run', ...suite)
  }, 300_000)
})
