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

const zone = { hostedZoneId: 'Z0123456789ABCDEFGHIJ', hostedZoneName: 'example.com' }
let count = 0
const synthesize = (context: Readonly<Record<string, string>>): Readonly<Record<string, Resource>> => {
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
  const before = synthesize({ domainName: 'login.example.com', ...zone })
  const during = synthesize({
    domainName: 'auth.example.com',
    formerDomainName: 'login.example.com',
    ...zone,
  })
  const after = synthesize({ domainName: 'auth.example.com', ...zone })

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
    expect(urlIsOff(synthesize({ domainName: 'auth.example.com', ...zone }))).toBe(false)
    expect(urlIsOff(synthesize({ domainName: 'auth.example.com', ...zone, defaultUrl: 'false' }))).toBe(true)
  })

  it('never works behind a front door', () => {
    const context = { domainName: 'auth.example.com', ...zone, frontDoor: 'true', region: 'eu-central-1' }
    expect(urlIsOff(synthesize(context))).toBe(true)
  })
})

describe('a former domain', () => {
  const now = { domainName: 'auth.example.com', ...zone }

  it('outside of the zone has a certificate of its own', () => {
    const formerCertificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/example'
    const context = {
      ...now,
      region: 'eu-central-1',
      formerDomainName: 'login.example.org',
      formerCertificateArn,
    }
    expect(listNames(synthesize(context), 'login.example.org').map(([, type]) => type)).toEqual([
      'AWS::ApiGatewayV2::DomainName',
      'AWS::ApiGatewayV2::ApiMapping',
    ])
  })

  it.each([
    [{ ...now, formerDomainName: 'auth.example.com' }, 'must have another name than the domain'],
    [{ ...now, formerDomainName: 'login.example.org' }, 'formerDomainName requires formerCertificateArn'],
    [{ ...now, formerDomainName: 'https://login.example.com' }, 'must be a host name'],
    [{ ...now, formerCertificateArn: 'x' }, 'formerCertificateArn requires formerDomainName'],
    [
      { ...now, formerDomainName: 'login.example.com', frontDoor: 'true', region: 'eu-central-1' },
      'A former domain and a front door exclude each other',
    ],
  ])('is refused with %o', (context, problem) => {
    expect(() => synthesize(context)).toThrow(problem)
  })
})
