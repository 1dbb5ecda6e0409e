import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inject, it } from 'vitest'
import { oldestCdk } from '../../build/package/packages.ts'
import { synthesizeEverything } from './everything.ts'
import { installProject } from './project.ts'

/* `package.test.ts` does the same with the CDK of this project. */

it(`the construct synthesizes everything with aws-cdk-lib ${oldestCdk}, the oldest`, async () => {
  const folder = await installProject('npm', {
    'aws-cdk-lib': oldestCdk,
    constructs: '^10.5.0',
    '@latchkey/construct': `file:${inject('tarballs').construct}`,
  })
  try {
    copyFileSync('test/package/app/everything.cjs', join(folder, 'everything.cjs'))
    await synthesizeEverything(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})
