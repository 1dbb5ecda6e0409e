import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Copy, copyProject, filesOf, stepsOf } from './carry-out.ts'

const steps = stepsOf('Add a stored field')
const files = new Set(filesOf(steps))
const newTest = 'test/functions/session-language.test.ts'

let copy: Copy
beforeAll(() => {
  copy = copyProject(['lib', newTest])
})
afterAll(() => copy.remove())

describe('the steps to add a stored field', () => {
  it(`change ${files.size} files: the record, the rule and a test`, () => {
    expect([...files]).toEqual([
      'lib/store/sign-in/session-record.ts',
      'lib/accounts/sign-in/sessions.ts',
      newTest,
    ])
  })

  it('fail to compile without the record', async () => {
    for (const step of steps.slice(1)) copy.apply(step)
    await expect(copy.checkTypes()).rejects.toThrow(newTest)
  })

  it('give a field that compiles, and is stored and read', async () => {
    for (const step of steps.slice(0, 1)) copy.apply(step)
    await copy.checkTypes()
    await copy.run('vitest', 'run', newTest)
  })
})
