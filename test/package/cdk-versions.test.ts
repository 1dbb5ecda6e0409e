import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { oldestCdk } from '../../build/package/packages.ts'
import { installProject, runOrFail } from './project.ts'

/* The construct in apps with the oldest version of the CDK that it supports, and with the newest one that npm has. */

const program = `
const { App, Stack } = require('aws-cdk-lib')
const { AuthService } = require('@latchkey/construct')
const app = new App()
const hostedZone = { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' }
const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/example'
const settings = { mailFrom: 'a@example.com', alarmEmail: 'ops@example.com', backup: true, tracing: true }
const service = new Stack(app, 'Service')
new AuthService(service, 'Auth', { ...settings, domain: { name: 'auth.example.com', hostedZone }, frontDoor: { certificateArn } })
const product = new Stack(app, 'Product')
AuthService.fromAttributes(product, 'Auth', { url: 'https://auth.example.com' })
const { template } = app.synth().getStackByName('Service')
console.log(JSON.stringify(Object.values(template.Resources).map(({ Type }) => Type)))
`

it.each([oldestCdk, 'latest'])('synthesizes everything with aws-cdk-lib %s', async (version) => {
  const folder = await installProject('npm', {
    'aws-cdk-lib': version,
    constructs: '^10.5.0',
    '@latchkey/construct': `file:${inject('tarballs').construct}`,
  })
  try {
    writeFileSync(join(folder, 'app.cjs'), program)
    const types: readonly string[] = JSON.parse(await runOrFail(['node', 'app.cjs'], { cwd: folder }))
    expect(types).toContain('AWS::CloudFront::Distribution')
    expect(types.filter((type) => type === 'AWS::Lambda::Function').length).toBeGreaterThan(20)
    expect(types.length).toBeLessThanOrEqual(400)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})
