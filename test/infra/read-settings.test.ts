import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { readSettings } from '../../infra/settings/read-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'latchkey-stages-'))
afterAll(() => rmSync(folder, { recursive: true }))
const writeStage = (name: string, content: string) => writeFileSync(join(folder, `${name}.json`), content)

const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/example'
const webAclArn = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/own/1'
const topicIn = (region: string) => `arn:aws:sns:${region}:111122223333:alarms`
const door = {
  region: 'eu-central-1',
  frontDoor: 'true',
  domainName: 'auth.example.com',
  hostedZoneId: 'Z0123456789ABCDEFGHIJ',
  hostedZoneName: 'example.com',
}
const prod = { stackName: 'LatchkeyProd', domainName: 'auth.example.com', certificateArn, backup: true }
writeStage('prod', JSON.stringify({ ...prod, allowedOrigins: ['https://a.example.com'] }))
writeStage('unnamed', '{}')
writeStage('mistyped', '{ "stackName": "A", "publicURL": "https://auth.example.com", "stage": "prod" }')
writeStage('broken', '{ "stackName": ')
writeStage('list', '[]')
writeStage('repeated', '{ "stackName": "A", "stackName": "B" }')

const read = (context: Record<string, unknown>) => readSettings(context, folder)
const problemsOf = (context: Record<string, unknown>) => read(context).problems

describe('settings of the context', () => {
  it('need none', () => {
    expect(read({})).toEqual({
      stackName: 'Latchkey',
      terminationProtection: false,
      props: {},
      problems: [],
    })
  })

  it('are texts on the command line, and JSON values in cdk.json', () => {
    const props = {
      allowedOrigins: ['https://a.example.com', 'https://b.example.com'],
      hashingConcurrency: 20,
      tracing: true,
      breachEndpoint: '',
    }
    const texts = { allowedOrigins: 'https://a.example.com, https://b.example.com', breachEndpoint: '' }
    expect(read({ ...texts, hashingConcurrency: '20', tracing: 'true' })).toMatchObject({
      props,
      problems: [],
    })
    expect(read(props)).toMatchObject({ props, problems: [] })
  })

  it('may stand beside keys of the CDK and its CLI', () => {
    const keys = ['@aws-cdk/core:stackRelativeExports', 'aws:cdk:bundling-stacks', 'cli-telemetry']
    const lookup = 'availability-zones:account=111122223333:region=eu-central-1'
    const context = Object.fromEntries(
      [...keys, lookup, 'acknowledged-issue-numbers'].map((key) => [key, true]),
    )
    expect(problemsOf(context)).toEqual([])
  })

  it.each([
    [
      { publicURL: 'https://auth.example.com' },
      '"publicURL" is not a setting of the context. Did you mean publicUrl?',
    ],
    [
      { domain: 'auth.example.com' },
      '"domain" is not a setting of the context. Known are: stage, stackName,',
    ],
    [{ mailfrom: 'a@example.com' }, 'Did you mean mailFrom?'],
    [{ mailTlsPolizy: 'optional' }, 'Did you mean mailTlsPolicy?'],
    [{ mailTlsPolicy: 'never' }, 'mailTlsPolicy must be one of require, optional'],
    [{ constructor: 'x' }, '"constructor" is not a setting of the context.'],
    [{ publicUrl: '' }, 'publicUrl must not be empty. Leave it out to use its default.'],
    [{ allowedOrigins: '' }, 'allowedOrigins must not be empty.'],
    [{ allowedOrigins: 5 }, 'allowedOrigins must be a list, or a text with commas between its entries.'],
    [{ publicUrl: 5 }, 'publicUrl must be a text.'],
    [{ tracing: 'yes' }, 'tracing must be true or false.'],
    [{ backup: '' }, 'backup must be true or false.'],
    [{ hashingConcurrency: '0' }, 'hashingConcurrency must be a whole number from 1.'],
    [{ hashingConcurrency: '1e3' }, 'hashingConcurrency must be a whole number from 1.'],
    [{ hashingConcurrency: 1.5 }, 'hashingConcurrency must be a whole number from 1.'],
    [{ passkeyTimeoutSeconds: 'soon' }, 'passkeyTimeoutSeconds must be a whole number from 30 to 300.'],
    [{ passkeyUserVerification: 'never' }, 'passkeyUserVerification must be one of required, preferred.'],
    [{ stackName: 'my stack' }, 'stackName must start with a letter, and consist of'],
    [
      { domainName: 'auth.example.com' },
      'domainName requires certificateArn, or hostedZoneId and hostedZoneName.',
    ],
    [{ certificateArn }, 'certificateArn requires domainName.'],
    [{ region: 'Frankfurt' }, 'region must be the name of a region, such as eu-central-1.'],
    [{ priceClass: '300' }, 'priceClass must be one of 100, 200, all.'],
    [{ requestsPerAddress: '5' }, 'requestsPerAddress must be a whole number from 10 to 2000000000.'],
    [{ originSecretVersion: '2' }, 'originSecretVersion requires frontDoor.'],
    [{ frontDoor: 'false', allowDirectRequests: 'true' }, 'allowDirectRequests requires frontDoor.'],
    [{ ...door, region: undefined }, 'frontDoor requires region, the region of the stack,'],
    [
      { ...door, hostedZoneId: undefined, hostedZoneName: undefined, certificateArn },
      'frontDoor requires frontDoorCertificateArn, or hostedZoneId and hostedZoneName.',
    ],
    [{ ...door, webAclArn, requestsPerAddress: '10' }, 'requestsPerAddress has no effect on a webAclArn'],
    [
      { ...door, frontDoorAlarmTopicArn: topicIn('eu-central-1') },
      'frontDoorAlarmTopicArn must be a topic in us-east-1, where its alarms are.',
    ],
    [{ frontDoorAlarmTopicArn: topicIn('us-east-1') }, 'frontDoorAlarmTopicArn requires frontDoor.'],
    [{ ...door, webAclArn: 'own' }, 'webAclArn "own" must be the ARN of a web ACL in us-east-1'],
    [
      { ...door, frontDoorCertificateArn: certificateArn },
      'frontDoorCertificateArn names a certificate in eu-central-1, but CloudFront requires one in us-east-1.',
    ],
    [
      { domainName: 'auth.example.com', hostedZoneName: 'example.com' },
      'hostedZoneId and hostedZoneName must be set together.',
    ],
    [
      { domainName: 'auth.example.com', certificateArn, hostedZoneId: 'Z0123456789ABCDEFGHIJ' },
      'hostedZoneId and hostedZoneName must be set together.',
    ],
    [
      { hostedZoneId: 'Z0123456789ABCDEFGHIJ', hostedZoneName: 'example.com' },
      'hostedZoneId and hostedZoneName require domainName.',
    ],
    [{ tableName: 'Restored' }, 'tableName and tableStreamArn must be set together.'],
    [{ tableKeyArn: 'arn:aws:kms:eu-central-1:111122223333:key/example' }, 'tableKeyArn requires tableName.'],
  ])('%j has one problem, with a sentence about it', (context, text) => {
    expect(problemsOf(context)).toEqual([expect.stringContaining(text)])
  })

  it('have their problems listed at once, without losing the valid ones', () => {
    const context = { tracing: 'yes', publicURL: 'x', backup: 'maybe', publicUrl: 'https://auth.example.com' }
    expect(problemsOf(context)).toHaveLength(3)
    expect(read(context).props).toEqual({ publicUrl: 'https://auth.example.com' })
  })

  it('include an invalid domain without a certificate', () => {
    expect(problemsOf({ domainName: 'https://auth.example.com' })).toEqual([
      'domainName requires certificateArn, or hostedZoneId and hostedZoneName.',
      expect.stringContaining('domainName "https://auth.example.com" must be a host name'),
    ])
  })

  it('name a table to adopt, with its stream and key', () => {
    const arn = 'arn:aws:dynamodb:eu-central-1:111122223333:table/Restored/stream/1'
    const keyArn = 'arn:aws:kms:eu-central-1:111122223333:key/example'
    const context = { tableName: 'Restored', tableStreamArn: arn, vaultKeyArn: keyArn }
    const table = { name: 'Restored', streamArn: arn }
    expect(read(context)).toMatchObject({ props: { table, vaultKeyArn: keyArn }, problems: [] })
    expect(read({ ...context, tableKeyArn: keyArn }).props.table).toEqual({ ...table, keyArn })
  })

  it('name a hosted zone, with or without a certificate', () => {
    const context = {
      domainName: 'auth.example.com',
      hostedZoneId: 'Z0123456789ABCDEFGHIJ',
      hostedZoneName: 'example.com',
    }
    const domain = {
      name: 'auth.example.com',
      hostedZone: { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' },
    }
    expect(read(context)).toMatchObject({ props: { domain }, problems: [] })
    expect(read({ ...context, certificateArn }).props.domain).toEqual({ ...domain, certificateArn })
  })

  it('describe a front door, whose parts are created or given', () => {
    expect(read(door)).toMatchObject({ region: 'eu-central-1', frontDoor: {}, problems: [] })
    expect(read(door).props).not.toHaveProperty('frontDoor')
    const own = {
      frontDoorCertificateArn: certificateArn.replace('eu-central-1', 'us-east-1'),
      webAclArn,
      priceClass: 200,
      originSecretVersion: '3',
      allowDirectRequests: 'true',
    }
    expect(read({ ...door, ...own })).toMatchObject({
      frontDoor: {
        certificateArn: own.frontDoorCertificateArn,
        webAclArn,
        priceClass: '200',
        originSecretVersion: 3,
        allowDirectRequests: true,
      },
      problems: [],
    })
    const alarmTopicOf = (topics: Readonly<Record<string, string>>) =>
      read({ ...door, ...topics }).frontDoorAlarmTopicArn
    const frontDoorAlarmTopicArn = topicIn('us-east-1')
    expect(alarmTopicOf({ frontDoorAlarmTopicArn })).toBe(frontDoorAlarmTopicArn)
    expect(alarmTopicOf({ alarmTopicArn: topicIn('us-east-1') })).toBe(frontDoorAlarmTopicArn)
    expect(alarmTopicOf({ alarmTopicArn: topicIn('eu-central-1') })).toBeUndefined()
    expect(problemsOf({ frontDoor: 'true' })).toEqual([
      'frontDoor requires domainName.',
      expect.stringContaining('frontDoor requires region'),
      expect.stringContaining('frontDoor requires frontDoorCertificateArn'),
    ])
  })
})

describe('the file of a stage', () => {
  it('holds the settings, which the context overrides', () => {
    const domain = { name: 'auth.example.com', certificateArn }
    const own = { backup: true, allowedOrigins: ['https://a.example.com'], domain }
    expect(read({ stage: 'prod' })).toEqual({
      stackName: 'LatchkeyProd',
      terminationProtection: true,
      props: own,
      problems: [],
    })
    expect(read({ stage: 'prod', terminationProtection: 'false' }).terminationProtection).toBe(false)
    const changed = read({ stage: 'prod', backup: 'false', mailFrom: 'a@example.com' })
    expect(changed.props).toEqual({ ...own, backup: false, mailFrom: 'a@example.com' })
  })

  it.each([
    [
      'prd',
      'There is no file config/prd.json for the stage "prd". The stages are: broken, list, mistyped, prod,',
    ],
    ['../package', 'There is no file config/../package.json'],
    ['broken', 'config/broken.json is not valid JSON: '],
    ['list', 'config/list.json must be a JSON object with settings.'],
    ['repeated', 'config/repeated.json repeats stackName.'],
    ['mistyped', '"publicURL" is not a setting of config/mistyped.json. Did you mean publicUrl?'],
    ['mistyped', '"stage" is not a setting of config/mistyped.json.'],
    ['unnamed', 'The stage needs a stackName, because two stages must not share a stack.'],
  ])('%s has a problem', (stage, text) => {
    expect(problemsOf({ stage })).toContainEqual(expect.stringContaining(text))
  })

  it('is required for the stack that it names, which would lose its settings', () => {
    expect(problemsOf({ stackName: 'LatchkeyProd' })).toEqual([
      'The stack LatchkeyProd has its settings in config/prod.json. Add -c stage=prod.',
    ])
  })

  it('is not required if there is no folder of files', () => {
    expect(readSettings({}, join(folder, 'missing')).problems).toEqual([])
    expect(readSettings({ stage: 'prod' }, join(folder, 'missing')).problems).toEqual([
      'There is no file config/prod.json for the stage "prod". There is no stage yet.',
    ])
  })
})
