import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Copy, copyProject, filesOf, stepsOf } from './carry-out.ts'

const steps = stepsOf('Add an operation')

let copy: Copy
beforeAll(() => {
  copy = copyProject(['lib', 'functions/users', 'test/functions/own-detail.test.ts'])
})
afterAll(() => copy.remove())

describe('the steps to add an operation', () => {
  it('add exactly one declaration, one use case, one entry and a test', () => {
    expect(filesOf(steps)).toEqual([
      'lib/contract/operations/users.ts',
      'lib/contract/operations/users.ts',
      'functions/users/own-detail.ts',
      'functions/users/index.ts',
      'functions/users/index.ts',
      'test/functions/own-detail.test.ts',
    ])
  })

  it('fail to compile without the use case', async () => {
    for (const step of steps.slice(0, 2)) copy.apply(step)
    await expect(copy.checkTypes()).rejects.toThrow('functions/users/index.ts')
  })

  it('give an operation that compiles, answers requests and has a reference', async () => {
    for (const step of steps.slice(2)) copy.apply(step)
    await copy.checkTypes()
    await copy.run('vitest', 'run', 'test/functions/own-detail.test.ts')
    await copy.run('node', 'build/docs/write.ts')
    expect(copy.read('docs/reference/operations.md')).toContain('### get_own_detail')
  })
})
