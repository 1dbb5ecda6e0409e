import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { oldestCdk } from '../../build/package/packages.ts'
import manifest from '../../package.json' with { type: 'json' }
import { installProject, runOrFail } from './project.ts'

/* The construct in apps with the oldest version of the CDK that it supports, and with the one of this project. */

const newestCdk = manifest.devDependencies['aws-cdk-lib']

it.each([oldestCdk, newestCdk])('synthesizes everything with aws-cdk-lib %s', async (version) => {
  const folder = await installProject('npm', {
    'aws-cdk-lib': version,
    constructs: '^10.5.0',
    '@latchkey/construct': `file:${inject('tarballs').construct}`,
  })
  try {
    copyFileSync('test/package/app/everything.cjs', join(folder, 'everything.cjs'))
    const output = await runOrFail(['node', 'everything.cjs'], { cwd: folder })
    // The CDK can print warnings first.
    const types: readonly string[] = JSON.parse(output.slice(output.indexOf('["')))
    expect(types).toContain('AWS::CloudFront::Distribution')
    expect(types.filter((type) => type === 'AWS::Lambda::Function').length).toBeGreaterThan(20)
    expect(types.length).toBeLessThanOrEqual(415)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})
