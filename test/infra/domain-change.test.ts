import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createApp } from '../../infra/app.ts'
import { type Resource, readTemplates, writeEmptyBundles } from './synthesis.ts'

/* A service gets a domain, or another one, while clients still use the address that they know. */

const folder = mkdtempSync(join(tmpdir(), 'latchkey-domain-'))
const bundleDir = join(folder, 'bundles')
writeEmptyBundles(bundleDir)
afterAll(() => rmSync(folder, { recursive: true }))

const hostedZone = { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' }
const domainOf = (name: string) => ({ domain: { name, hostedZone } })
let count = 0
const synthesize = (context: Readonly<Record<string, unknown>>): Readonly<Record<string, Resource>> => {
  count += 1
  const outdir = join(folder, String(count))
  createApp({ outdir, bundleDir, context: { stackName: 'Latchkey', ...context } }).synth()
  const template = readTemplates(outdir).get('Latchkey')
  return template?.Resources ?? {}
}

/** What a name consists of, by logical ID. */
const listNames = (resources: Readonly<Record<string, Resource>>, name: string) => {
  const kinds = ['DomainName', 'ApiMapping', 'Certificate', 'RecordSet']
  const id = `Domain${name.replaceAll(/\W/g, '')}`
  return Object.entries(resources)
    .filter(([key, { Type }]) => key.includes(id) && kinds.some((kind) => Type.endsWith(`::${kind}`)))
    .map(([key, { Type, Properties }]) => [key, Type, Properties])
}
const urlIsOff = (resources: Readonly<Record<string, Resource>>) =>
  Object.values(resources).find(({ Type }) => Type === 'AWS::ApiGatewayV2::Api')?.Properties
    .DisableExecuteApiEndpoint

describe('another domain', () => {
  const before = synthesize(domainOf('login.example.com'))
  const during = synthesize({
    ...domainOf('auth.example.com'),
    formerDomain: { name: 'login.example.com' },
  })
  const after = synthesize(domainOf('auth.example.com'))

  it('keeps every resource of the former name as it is, and creates those of the new one', () => {
    expect(listNames(before, 'login.example.com')).toHaveLength(5)
    expect(listNames(during, 'login.example.com')).toEqual(listNames(before, 'login.example.com'))
    expect(listNames(during, 'auth.example.com')).toHaveLength(5)
    expect(listNames(before, 'auth.example.com')).toEqual([])
  })

  it('stays as it is when the former name is removed', () => {
    expect(listNames(after, 'auth.example.com')).toEqual(listNames(during, 'auth.example.com'))
    expect(listNames(after, 'login.example.com')).toEqual([])
  })

  it('is the address of the service from the first deployment on', () => {
    const urls = Object.values(during).flatMap(({ Properties }) => {
      const url = Properties?.Environment?.Variables?.PUBLIC_URL
      return url === undefined ? [] : [url]
    })
    expect(new Set(urls)).toEqual(new Set(['https://auth.example.com']))
  })
})

describe('the URL of API Gateway', () => {
  it('works without a domain, and beside the first one until it is turned off', () => {
    expect(urlIsOff(synthesize({}))).toBe(false)
    expect(urlIsOff(synthesize(domainOf('auth.example.com')))).toBe(false)
    expect(urlIsOff(synthesize({ ...domainOf('auth.example.com'), defaultUrl: 'false' }))).toBe(true)
  })

  it('never works behind a front door', () => {
    const context = { ...domainOf('auth.example.com'), frontDoor: 'true', region: 'eu-central-1' }
    expect(urlIsOff(synthesize(context))).toBe(true)
  })
})

describe('a page on the machine of a developer', () => {
  const warningsOf = (terminationProtection: boolean) => {
    const context = { allowedOrigins: 'http://localhost:5173', terminationProtection }
    const outdir = join(folder, `local-${terminationProtection}`)
    const { messages } = createApp({ outdir, bundleDir, context }).synth().getStackByName('Latchkey')
    return messages.map(({ entry }) => String(entry.data)).filter((text) => text.includes('localhost'))
  }

  it('may call a stage for development, and is reported in a protected one', () => {
    expect(warningsOf(false)).toEqual([])
    expect(warningsOf(true)).toEqual([
      expect.stringContaining('names http://localhost:5173 in a protected stack'),
    ])
  })
})

describe('a former domain', () => {
  const now = domainOf('auth.example.com')

  it('outside of the zone has a certificate of its own', () => {
    const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/example'
    const context = {
      ...now,
      region: 'eu-central-1',
      formerDomain: { name: 'login.example.org', certificateArn },
    }
    expect(listNames(synthesize(context), 'login.example.org').map(([, type]) => type)).toEqual([
      'AWS::ApiGatewayV2::DomainName',
      'AWS::ApiGatewayV2::ApiMapping',
    ])
  })

  it.each([
    [{ ...now, formerDomain: { name: 'auth.example.com' } }, 'formerDomain.name must be another name'],
    [
      { ...now, formerDomain: { name: 'login.example.org' } },
      'formerDomain requires formerDomain.certificateArn or formerDomain.hostedZone.',
    ],
    [{ ...now, formerDomain: { name: 'https://login.example.com' } }, 'must be a host name'],
    [{ ...now, formerDomain: { certificateArn: 'x' } }, 'formerDomain requires formerDomain.name.'],
    [
      { ...now, formerDomain: { name: 'login.example.com' }, frontDoor: 'true', region: 'eu-central-1' },
      'formerDomain and frontDoor exclude each other',
    ],
  ])('is refused with %o', (context, problem) => {
    expect(() => synthesize(context)).toThrow(problem)
  })
})
