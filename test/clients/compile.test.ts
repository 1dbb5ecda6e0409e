import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('the code of the tests compiles with the published client', async () => {
  const run = promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'test/clients'])
  await expect(run.then(({ stdout }) => stdout)).resolves.toBe('')
})
