import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type AuthServiceProps, completeProps } from '../../infra/settings/auth-service-props.ts'
import { findPropProblems } from '../../infra/settings/check-props.ts'
import { settingPaths } from '../../infra/settings/check-settings.ts'
import { readSettings } from '../../infra/settings/read-settings.ts'

/* The file of a stage and the props of the construct have the same names, the same values and the same messages. */

const folder = mkdtempSync(join(tmpdir(), 'latchkey-language-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The rows of the page, by the heading of their table. */
const rowsBelow = (heading: string): string[][] => {
  const [, table = ''] = readFileSync('docs/reference/settings.md', 'utf8').split(`\n## ${heading}\n`)
  return [...(table.split('\n## ')[0] ?? '').matchAll(/^\| `.*$/gm)].map(([row]) =>
    row.split(' | ').map((cell) => cell.replace(/^\| /, '')),
  )
}
const nameIn = (cell = '') => cell.replaceAll('`', '')
const documented = [
  ...rowsBelow('Service').map(([name]) => nameIn(name)),
  ...rowsBelow('Deployment')
    .filter(([, isProp]) => isProp === 'yes')
    .map(([name]) => nameIn(name)),
]
const ofApp = rowsBelow('Deployment')
  .filter(([, isProp]) => isProp === 'no')
  .map(([name]) => nameIn(name))

const arn = (service: string, resource: string, region = 'eu-central-1') =>
  `arn:aws:${service}:${region}:111122223333:${resource}`
const hostedZone = { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' }
const domain = { name: 'auth.example.com', certificateArn: arn('acm', 'certificate/a'), hostedZone }

/** Valid values of all settings, in groups that go together. */
const groups: readonly AuthServiceProps[] = [
  {
    publicUrl: 'https://auth.example.com',
    allowedOrigins: ['https://app.example.com'],
    signInUrl: 'https://app.example.com/in',
    linkUrl: 'https://app.example.com/shared',
    mailFrom: 'Example <no-reply@example.com>',
    sessionLifetimes: 'users=7200/600',
    hidesConnections: true,
    recentAuthenticationSeconds: 60,
    signInByEmail: false,
    allowMixedScripts: true,
    allowLookalikeUsernames: true,
    jwtAudiences: ['urn:films'],
    passkeyRpId: 'example.com',
    passkeyRpName: 'Example',
    passkeyOrigins: ['https://app.auth.example.com'],
    passkeyUserVerification: 'preferred',
    passkeyTimeoutSeconds: 60,
    rateLimits: 'otpGuesses=10/300',
    trustedProxies: ['10.0.0.0/8'],
    breachEndpoint: '',
    legacyPasswordCheck: arn('lambda', 'function:old'),
    legacyPasswordCheckUntil: '2099-12-31',
    securityContact: 'mailto:security@example.com',
    securityContactUntil: '2099-12-31',
    apiReference: 'off',
    hstsIncludeSubdomains: true,
    hstsPreload: true,
    logLevel: 'error',
    auditRetentionDays: 90,
    auditPersonalDays: 30,
    domain,
    formerDomain: { ...domain, name: 'login.example.com' },
    defaultUrl: false,
    requestsPerSecond: 50,
    requestsInBurst: 100,
    warmReadUnits: 20_000,
    warmWriteUnits: 8000,
    maxReadUnits: 20_000,
    maxWriteUnits: 9000,
    logRetention: 30,
    removalPolicy: 'destroy',
    mailTlsPolicy: 'optional',
    adminEmail: 'ada@example.com',
    alarmEmail: 'ops@example.com',
    wholeTableGrants: false,
    tracing: true,
    hashingConcurrency: 5,
    backup: true,
    backupRegion: 'eu-west-1',
    products: ['films', 'books=444455556666'],
    proofOfWork: false,
    hooks: {
      beforeSignUp: {
        ...{ function: arn('lambda', 'function:sign-up:live'), groups: ['Customers'] },
        ...{ attributes: ['plan'], timeoutMs: 500, enabled: true },
      },
      afterSignIn: { function: arn('lambda', 'function:sign-in:live'), timeoutMs: 500, enabled: false },
      beforeToken: {
        ...{ function: arn('lambda', 'function:token:live'), claims: ['plan'], timeoutMs: 500 },
        ...{ onFailure: 'refuse', enabled: true },
      },
    },
    auditArchive: true,
    dashboard: false,
  },
  {
    domain,
    frontDoor: {
      certificateArn: arn('acm', 'certificate/b', 'us-east-1'),
      webAclArn: arn('wafv2', 'global/webacl/own/1', 'us-east-1'),
      priceClass: '200',
      originSecretVersion: 2,
      allowDirectRequests: true,
      alarmTopicArn: arn('sns', 'alarms', 'us-east-1'),
    },
    alarmTopicArn: arn('sns', 'alarms'),
  },
  { domain, frontDoor: { requestsPerAddress: 50 } },
  { domain, frontDoor: true },
  {
    table: {
      name: 'Restored',
      streamArn: arn('dynamodb', 'table/Restored/stream/2026-01-01T00:00:00.000'),
      keyArn: arn('kms', 'key/a'),
    },
    vaultKeyArn: arn('kms', 'key/b'),
    otherVaultKeyArn: arn('kms', 'key/c'),
    auditKeyArn: arn('kms', 'key/d'),
  },
]

const readFile = (settings: object) => {
  writeFileSync(join(folder, 'prod.json'), JSON.stringify({ stackName: 'LatchkeyProd', ...settings }))
  return readSettings({ stage: 'prod' }, folder)
}

/** What both say about the same settings. */
const bothSay = (settings: object) => {
  const { props, problems } = readFile(settings)
  return {
    ofFile: [...problems, ...findPropProblems(props, 'eu-central-1')],
    ofProps: findPropProblems(settings, 'eu-central-1'),
  }
}

const listPaths = (value: object, prefix = ''): string[] =>
  Object.entries(value).flatMap(([name, inner]) => [
    `${prefix}${name}`,
    ...(typeof inner === 'object' && !Array.isArray(inner) ? listPaths(inner, `${prefix}${name}.`) : []),
  ])

describe('the settings of the page', () => {
  it('are those of both, and all of them have a value here', () => {
    expect([...documented].sort()).toEqual([...settingPaths].sort())
    expect([...new Set(groups.flatMap((group) => listPaths(group)))].sort()).toEqual([...documented].sort())
  })

  it.each(groups)('mean the same in a file and as props: %o', (group) => {
    expect(bothSay(group)).toEqual({ ofFile: [], ofProps: [] })
    expect(completeProps(readFile(group).props)).toEqual(completeProps(group))
  })

  it('of the app alone are named by the construct, which says where they belong', () => {
    for (const name of ofApp.filter((name) => name !== 'stage'))
      expect(findPropProblems({ [name]: 'a' } as object, 'eu-central-1')).toEqual([
        expect.stringContaining(`"${name}" is not a prop. It belongs to the stack: new Stack(…, {`),
      ])
  })
})

describe('mistakes', () => {
  const name = 'auth.example.com'
  const mistakes = [
    { domainName: name },
    { domain: { name } },
    { domain: { name, hostedZone: { id: 'Z1' } } },
    { domain: { name, hostedZoneId: 'Z1', hostedZoneName: 'example.com' } },
    { domain: name },
    { domain: [name] },
    { domain: { ...domain, name: 'https://auth.example.com' } },
    { domain: { ...domain, hostedZone: { id: 'x', name: 'example.org' } } },
    { domain: { ...domain, certificateArn: 'x' } },
    { formerDomain: { name: 'login.example.com' } },
    { formerDomainName: name },
    { frontDoor: true },
    { frontDoor: true, domain: { name, certificateArn: domain.certificateArn } },
    { frontDoor: 'on', domain },
    { frontDoor: { requestsPerAddress: 1, webAclArn: 'x', alarmTopicArn: 'y' }, domain },
    { frontDoor: { certificateArn: 'x' }, domain },
    { frontDoorCertificateArn: 'x', webAclArn: 'x', priceClass: '100', originSecretVersion: 1 },
    { tableName: 'x', tableStreamArn: 'x', tableKeyArn: 'x' },
    { table: { name: 'x' } },
    { table: { name: 'x y', streamArn: 'x', keyArn: 'alias/x' } },
    { allowedOrigin: ['https://a.example.com'], mailfrom: 'a@example.com', backupRegions: 'x' },
    { alarmTopicArn: 'x' },
    { hostedZoneNam: 'x', certificateArn: 'x', streamarn: 'x' },
  ]

  it.each(mistakes)('get the same sentences from both: %j', (settings) => {
    const { ofFile, ofProps } = bothSay(settings)
    const alike = (texts: readonly string[]) =>
      texts.map((text) => text.replace(/ is not (?:a prop|a setting of \S+)\. /, ' is unknown. ')).sort()
    expect(alike(ofFile)).toEqual(alike(ofProps))
    expect(ofFile).not.toEqual([])
  })

  /** Names of AWS, of options of the CDK, and words in camel case that a value can have. */
  const others = ['us-east-1', 'AuthServiceProps']

  it.each(mistakes)('get sentences that name what exists, and no file: %j', (settings) => {
    const given = JSON.stringify(settings)
    for (const text of Object.values(bothSay(settings)).flat()) {
      expect(text.length, text).toBeLessThan(300)
      expect(text).not.toMatch(/infra\/|\.ts\b/)
      const names = text
        .replaceAll(/"[^"]*"|arn:\S+/g, '')
        .match(/\b[a-z]+[A-Z]\w*(?:\.\w+)*|\b(?:domain|table|frontDoor)\.\w+(?:\.\w+)*/g)
      for (const found of names ?? [])
        expect(settingPaths.includes(found) || others.includes(found) || given.includes(found), text).toBe(
          true,
        )
    }
  })
})
