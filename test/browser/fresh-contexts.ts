import { afterAll, afterEach, beforeEach } from 'vitest'
import { listContexts } from '../support/shared-browser.ts'

/*
 * Test files of a worker share its browsers. This closes the contexts that a test opened after the test, and those that a file
 * opened after the file, so that no page runs beside the tests of others.
 */
let contextsOfFile: ReadonlySet<unknown>
beforeEach(async () => {
  contextsOfFile = new Set(await listContexts())
})
afterEach(async () => {
  const contexts = await listContexts()
  await Promise.all(contexts.filter((one) => !contextsOfFile.has(one)).map((one) => one.close()))
})
afterAll(async () => {
  await Promise.all((await listContexts()).map((one) => one.close()))
})
