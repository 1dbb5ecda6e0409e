import { Token } from 'aws-cdk-lib'
import { describe, expect, it } from 'vitest'
import { buildEnvironment } from '../../infra/settings/auth-service-props.ts'
import { findPropProblems, findRegion } from '../../infra/settings/check-props.ts'
import { isLastDayOver } from '../../infra/settings/is-last-day-over.ts'
import { readConfig } from '../../lib/kernel/settings/config.ts'
import { serviceSettings } from '../../lib/kernel/settings/service-settings.ts'
import { settingsOn, variableOf } from '../../lib/kernel/settings/setting.ts'
import { oldSystemArn } from './synthesis.ts'

const certificateArn = 'arn:aws:acm:eu-central-1:111122223333:certificate/example'
const domain = { name: 'auth.example.com', certificateArn }
const hostedZone = { id: 'Z0123456789ABCDEFGHIJ', name: 'example.com' }
const frontDoor = { certificateArn: certificateArn.replace('eu-central-1', 'us-east-1') }
const webAclArn = 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/own/1'
const publicUrl = 'https://auth.example.com'
const tableArn = 'arn:aws:dynamodb:eu-central-1:111122223333:table/Restored'

describe('the props of the construct', () => {
  it('have no problems if they are valid', () => {
    const props = {
      ...{ publicUrl, domain, signInUrl: 'https://app.example.com/sign-in?from=auth' },
      ...{ allowedOrigins: ['https://app.example.com', 'http://localhost:5173'] },
      linkUrl: 'App=https://app.example.com/shared/{id}',
      ...{ mailFrom: 'Example <no-reply@example.com>', alarmEmail: 'ops@example.com' },
      ...{ breachEndpoint: '', rateLimits: 'otpGuesses=10/300', hashingConcurrency: 5 },
      ...{ hstsIncludeSubdomains: true, hstsPreload: true, passkeyRpId: 'example.com' },
      ...{ trustedProxies: ['10.0.0.0/8', '2001:db8::1'] },
      ...{ sessionLifetimes: 'administrators=86400/3600', requestsPerSecond: 50, requestsInBurst: 100 },
      ...{ warmReadUnits: 20_000, warmWriteUnits: 8000, maxReadUnits: 20_000, maxWriteUnits: 9000 },
    }
    expect(findPropProblems(props, 'eu-central-1')).toEqual([])
    expect(findPropProblems({}, undefined)).toEqual([])
    const door = { ...frontDoor, webAclArn, originSecretVersion: 2, allowDirectRequests: true }
    expect(findPropProblems({ domain, frontDoor: door }, 'eu-central-1')).toEqual([])
    for (const name of ['auth.example.com', 'example.com'])
      for (const own of [{}, { certificateArn }])
        expect(findPropProblems({ domain: { name, hostedZone, ...own } }, 'eu-central-1')).toEqual([])
  })

  it.each([
    [
      { allowedOrigin: ['https://app.example.com'] },
      '"allowedOrigin" is not a prop. Did you mean allowedOrigins?',
    ],
    [{ mailfrom: 'a@example.com' }, 'Did you mean mailFrom?'],
    [{ mailTlsPolizy: 'optional' }, 'Did you mean mailTlsPolicy?'],
    [{ mailTlsPolicy: 'never' }, 'mailTlsPolicy must be'],
    [{ warmWriteUnit: 5000 }, 'Did you mean warmWriteUnits?'],
    [{ maxReadUnit: 5000 }, 'Did you mean maxReadUnits?'],
    [{ throttle: { rateLimit: 1 } }, '"throttle" is not a prop. The type AuthServiceProps has all props.'],
    [{ domainName: 'auth.example.com' }, '"domainName" is not a prop. Did you mean domain.name?'],
    [{ frontDoorCertificateArn: 'x' }, 'Did you mean frontDoor.certificateArn?'],
    [{ tablestreamarn: 'x' }, 'Did you mean table.streamArn?'],
    [{ requestPerAddress: 5 }, 'Did you mean frontDoor.requestsPerAddress?'],
    [{ region: 'eu-central-1' }, 'It belongs to the stack: new Stack(…, { env: { region } }).'],
    [{ stackName: 'Product' }, 'It belongs to the stack: new Stack(…, { stackName }).'],
    [{ domain: { ...domain, hostedZoneId: 'Z1' } }, 'Did you mean domain.hostedZone.id or'],
    [{ domain: { ...domain, port: 1 } }, 'Known are: name, certificateArn, hostedZone.'],
    [{ domain: 'auth.example.com' }, 'domain must be an object with fields such as name.'],
    [{ domain: null }, 'domain must be an object with fields such as name.'],
    [{ domain: { certificateArn } }, 'domain requires domain.name.'],
    [{ domain: { ...domain, hostedZone: true } }, 'domain.hostedZone must be an object'],
    [{ domain, frontDoor: 'yes' }, 'frontDoor must be true, false, or an object with fields'],
    [{ domain, frontDoor: { ...frontDoor, priceClass: 300 } }, 'frontDoor.priceClass must be one of 100,'],
  ])('are known ones, also in JavaScript: %j', (props, text) => {
    expect(findPropProblems(props as object, 'eu-central-1')).toEqual([expect.stringContaining(text)])
  })

  it.each([
    [{ publicUrl: 'http://auth.example.com' }, 'publicUrl "http://auth.example.com" must be an https origin'],
    [{ publicUrl: 'https://auth.example.com/' }, 'publicUrl "https://auth.example.com/" must be'],
    [{ publicUrl: '' }, 'publicUrl "" must be an https origin'],
    [{ allowedOrigins: ['https://a.example.com', '*'] }, 'allowedOrigins contains "*"'],
    [{ allowedOrigins: ['http://localhost'] }, 'allowedOrigins contains "http://localhost"'],
    [{ allowedOrigins: ['http://localhost:5173/'] }, 'allowedOrigins contains "http://localhost:5173/"'],
    [{ allowedOrigins: ['http://localhost:99999'] }, 'allowedOrigins contains "http://localhost:99999"'],
    [
      { allowedOrigins: ['http://localhost:5173.example.com'] },
      'allowedOrigins contains "http://localhost:5173.',
    ],
    [{ allowedOrigins: ['http://localhost:1@example.com'] }, 'allowedOrigins contains "http://localhost:1@'],
    [{ allowedOrigins: ['http://127.0.0.1:5173'] }, 'allowedOrigins contains "http://127.0.0.1:5173"'],
    [{ allowedOrigins: ['http://a.localhost:5173'] }, 'allowedOrigins contains "http://a.localhost:5173"'],
    [
      { allowedOrigins: ['https://a.example.com/page'] },
      'allowedOrigins contains "https://a.example.com/page"',
    ],
    [{ allowedOrigins: ['https://*.example.com'] }, 'allowedOrigins contains "https://*.example.com"'],
    [{ allowedOrigins: [''] }, 'allowedOrigins contains ""'],
    [{ signInUrl: 'javascript:alert(1)' }, 'signInUrl "javascript:alert(1)" must be an https URL.'],
    [{ signInUrl: 'http://app.example.com/' }, 'must be an https URL.'],
    [
      { linkUrl: 'https://app.example.com/shared' },
      'linkUrl must contain only URLs whose origins are in allowedOrigins',
    ],
    [{ domain: { ...domain, name: 'https://auth.example.com' } }, 'must be a host name in lower case'],
    [{ domain: { ...domain, name: 'auth.example.com/path' } }, 'without https://, port and path.'],
    [{ domain: { ...domain, name: 'auth.example.com:443' } }, 'domain.name "auth.example.com:443" must be'],
    [{ domain: { ...domain, name: '192.0.2.1' } }, 'domain.name "192.0.2.1" must be'],
    [{ domain: { ...domain, name: '*.example.com' } }, 'domain.name "*.example.com" must be'],
    [
      { domain: { ...domain, certificateArn: 'certificate/example' } },
      'must be the ARN of an ACM certificate',
    ],
    [
      { domain: { ...domain, certificateArn: certificateArn.replace('eu-central-1', 'us-east-1') } },
      'domain.certificateArn names a certificate in us-east-1, but the stack is in eu-central-1.',
    ],
    [{ domain: { name: 'auth.example.com' } }, 'domain requires domain.certificateArn or domain.hostedZone.'],
    [
      { domain: { ...domain, hostedZone: { ...hostedZone, id: '/hostedzone/Z0123' } } },
      'domain.hostedZone.id "/hostedzone/Z0123" must be the ID of a Route 53 hosted zone',
    ],
    [
      { domain: { ...domain, hostedZone: { ...hostedZone, name: 'example.com.' } } },
      'domain.hostedZone.name "example.com." must be a domain in lower case',
    ],
    [
      { domain: { ...domain, hostedZone: { ...hostedZone, name: 'example.org' } } },
      'domain.name "auth.example.com" must be in the hosted zone: example.org or',
    ],
    [
      { domain: { name: 'badexample.com', hostedZone } },
      'domain.name "badexample.com" must be in the hosted zone',
    ],
    [{ frontDoor }, 'frontDoor requires domain.'],
    [{ frontDoor: true }, 'frontDoor requires domain.'],
    [{ domain, frontDoor: true }, 'frontDoor requires frontDoor.certificateArn or domain.hostedZone.'],
    [
      { domain, frontDoor: { ...frontDoor, webAclArn, requestsPerAddress: 10 } },
      'frontDoor.requestsPerAddress has no effect on the web ACL of frontDoor.webAclArn.',
    ],
    [
      { domain, frontDoor: { ...frontDoor, alarmTopicArn: 'arn:aws:sns:eu-central-1:111122223333:alarms' } },
      'frontDoor.alarmTopicArn must be a topic in us-east-1, where its alarms are.',
    ],
    [
      { domain, frontDoor: { certificateArn } },
      'frontDoor.certificateArn names a certificate in eu-central-1, but CloudFront requires one in us-east-1.',
    ],
    [
      { domain, frontDoor: { certificateArn: 'example' } },
      'frontDoor.certificateArn "example" must be the ARN of an ACM certificate in us-east-1.',
    ],
    [
      {
        domain,
        frontDoor: {
          ...frontDoor,
          webAclArn: 'arn:aws:wafv2:eu-central-1:111122223333:regional/webacl/own/1',
        },
      },
      'must be the ARN of a web ACL in us-east-1 with the scope CLOUDFRONT',
    ],
    [
      { domain, frontDoor: { ...frontDoor, originSecretVersion: 0 } },
      'frontDoor.originSecretVersion must be a whole number from 1.',
    ],
    [{ mailFrom: 'example.com' }, 'mailFrom must be name@example.com or'],
    [{ logLevel: 'silent' }, 'logLevel must not be silent'],
    [{ alarmEmail: 'Ops <ops@example.com>' }, 'alarmEmail "Ops <ops@example.com>" must be an email address'],
    [{ adminEmail: 'Ada <ada@example.com>' }, 'adminEmail "Ada <ada@example.com>" must be an email address'],
    [{ breachEndpoint: 'foo' }, 'breachEndpoint must be an http(s) URL.'],
    [{ rateLimits: 'otpGuesses=0/300' }, 'rateLimits must set otpGuesses to 1 to 1000000'],
    [{ rateLimits: 'otpGuess=5/300' }, 'rateLimits must be a list such as'],
    [{ sessionLifetimes: 'users=5/5' }, 'sessionLifetimes must set users to at least 600 idle seconds'],
    [
      { recentAuthenticationSeconds: 59 },
      'recentAuthenticationSeconds must be a whole number from 60 to 86400.',
    ],
    [{ hashingConcurrency: 0 }, 'hashingConcurrency must be a whole number from 1.'],
    [{ requestsPerSecond: -1 }, 'requestsPerSecond must be a whole number from 1.'],
    [{ requestsInBurst: 0.5 }, 'requestsInBurst must be a whole number from 1.'],
    [{ warmReadUnits: 11_999 }, 'warmReadUnits must be a whole number from 12000.'],
    [{ warmWriteUnits: 3999 }, 'warmWriteUnits must be a whole number from 4000.'],
    [{ maxReadUnits: 0 }, 'maxReadUnits must be a whole number from 1.'],
    [{ maxWriteUnits: 0.5 }, 'maxWriteUnits must be a whole number from 1.'],
    [{ warmReadUnits: 20_000, maxReadUnits: 19_999 }, 'maxReadUnits must not be below warmReadUnits.'],
    [{ warmWriteUnits: 8000, maxWriteUnits: 7999 }, 'maxWriteUnits must not be below warmWriteUnits.'],
    [
      {
        maxWriteUnits: 8000,
        table: { name: 'Restored', streamArn: `${tableArn}/stream/2026-01-01T00:00:00.000` },
      },
      'warmReadUnits, warmWriteUnits, maxReadUnits and maxWriteUnits cannot be set with table.',
    ],
    [{ trustedProxies: ['10.0.0.0/8', '0.0.0.0/0'] }, 'trustedProxies must contain only addresses and CIDR'],
    [{ legacyPasswordCheck: oldSystemArn }, 'legacyPasswordCheck requires legacyPasswordCheckUntil.'],
    [{ legacyPasswordCheckUntil: '2027-03-31' }, 'legacyPasswordCheckUntil requires legacyPasswordCheck.'],
    [
      { legacyPasswordCheck: 'http://127.0.0.1:4000/', legacyPasswordCheckUntil: '2027-03-31' },
      'legacyPasswordCheck must be the ARN of a Lambda function. A URL works in local mode only.',
    ],
    [{ securityContact: 'mailto:security@example.com' }, 'securityContact requires securityContactUntil.'],
    [
      { securityContact: 'security@example.com', securityContactUntil: '2027-03-31' },
      'securityContact must be an address such as mailto:security@example.com',
    ],
    [
      { legacyPasswordCheck: oldSystemArn, legacyPasswordCheckUntil: '2027-02-30' },
      'legacyPasswordCheckUntil must be a day such as 2027-03-31.',
    ],
    [{ hstsPreload: true }, 'hstsPreload requires hstsIncludeSubdomains.'],
    [{ publicUrl, passkeyRpId: 'example.org' }, 'passkeyRpId must be the host of publicUrl or a domain'],
    [{ domain, passkeyRpId: 'example.org' }, 'passkeyRpId must be the host of publicUrl or a domain'],
    [{ publicUrl, passkeyOrigins: ['http://example.org'] }, 'passkeyOrigins must contain only https origins'],
    [{ passkeyTimeoutSeconds: 5 }, 'passkeyTimeoutSeconds must be a whole number from 30 to 300.'],
    [{ passkeyRpName: 'x'.repeat(65) }, 'passkeyRpName must have at most 64 characters.'],
  ] as const)('%j has one problem, with a sentence about it', (props, text) => {
    const problems = findPropProblems(props, 'eu-central-1')
    expect(problems).toEqual([expect.stringContaining(text)])
    expect(problems[0]).toMatch(/^[a-z].*\.$/)
  })

  it('can name a function of the same stack, whose ARN is only known during the deployment', () => {
    const legacyPasswordCheck = Token.asString({ 'Fn::GetAtt': ['Check', 'Arn'] })
    const find = (props: object) => findPropProblems({ legacyPasswordCheck, ...props }, undefined)
    expect(find({ legacyPasswordCheckUntil: '2027-03-31' })).toEqual([])
    expect(find({})).toEqual(['legacyPasswordCheck requires legacyPasswordCheckUntil.'])
  })

  it('are reported when their last day is over', () => {
    expect(isLastDayOver(undefined)).toBe(false)
    expect(isLastDayOver('2020-02-29')).toBe(true)
    expect(isLastDayOver('2099-12-31')).toBe(false)
  })

  it('have their problems listed at once', () => {
    const props = { publicUrl: 'auth.example.com', breachEndpoint: 'foo', hashingConcurrency: -1 }
    expect(findPropProblems(props, undefined)).toHaveLength(3)
  })
})

describe('the settings that functions read', () => {
  /** Values that differ from the default, and the configuration that functions have by them. */
  const samples = {
    publicUrl: ['https://sign-in.example.com', { publicUrl: 'https://sign-in.example.com' }],
    allowedOrigins: [['https://a.example.com'], { allowedOrigins: ['https://a.example.com'] }],
    signInUrl: ['https://a.example.com/in', { signInUrl: 'https://a.example.com/in' }],
    linkUrl: [
      'A=https://app.example.com/s',
      { linkProducts: [{ name: 'A', url: 'https://app.example.com/s' }] },
    ],
    sessionLifetimes: ['users=7200/600', { sessionLifetimes: { users: { lifetimeMs: 7_200_000 } } }],
    recentAuthenticationSeconds: [60, { recentAuthenticationMs: 60_000 }],
    signInByEmail: [false, { signInByEmail: false }],
    allowMixedScripts: [true, { allowMixedScripts: true }],
    allowLookalikeUsernames: [true, { allowLookalikeUsernames: true }],
    jwtAudiences: [['urn:api'], { jwtAudiences: ['urn:api'] }],
    passkeyRpId: ['example.com', { passkeys: { rpId: 'example.com' } }],
    passkeyRpName: ['Example', { passkeys: { rpName: 'Example' } }],
    passkeyOrigins: [
      ['https://x.auth.example.com'],
      { passkeys: { origins: [publicUrl, 'https://x.auth.example.com'] } },
    ],
    passkeyUserVerification: ['preferred', { passkeys: { userVerification: 'preferred' } }],
    passkeyTimeoutSeconds: [60, { passkeys: { timeoutMs: 60_000 } }],
    rateLimits: ['otpGuesses=10/300', { rateLimits: { otpGuesses: { max: 10 } } }],
    trustedProxies: [['10.0.0.0/8'], { trustedProxies: expect.anything() }],
    breachEndpoint: ['', { breachEndpoint: undefined }],
    apiReference: ['off', { apiReference: 'off' }],
    hstsIncludeSubdomains: [true, { hstsIncludeSubdomains: true }],
    hstsPreload: [true, { hstsPreload: true }],
    logLevel: ['error', { logLevel: 'error' }],
  } as const

  it.each(
    Object.entries(settingsOn(serviceSettings, 'stack')).filter(
      ([name, { on }]) => name !== 'publicUrl' && !on.includes('parts'),
    ),
  )('%s reaches each function as a variable', (name, setting) => {
    const value = setting.schema.kind === 'list' ? ['a', 'b'] : 'a'
    const environment = buildEnvironment({ [name]: value }, { tableName: 't', publicUrl })
    expect(environment[variableOf(name, setting)]).toBe(String(value))
  })

  it.each(Object.entries(samples))('%s changes the configuration of functions', (name, [value, config]) => {
    const more = {
      allowedOrigins: ['https://app.example.com'],
      hstsIncludeSubdomains: name === 'hstsPreload',
    }
    const props = { ...more, [name]: value }
    const url = name === 'publicUrl' ? String(value) : publicUrl
    const read = (given: object) => readConfig(buildEnvironment(given, { tableName: 't', publicUrl: url }))
    expect(read(props)).toMatchObject(config)
    const unchanged = name === 'publicUrl' ? readConfig({ TABLE_NAME: 't', PUBLIC_URL: publicUrl }) : read({})
    expect(unchanged).not.toMatchObject(config)
  })
})

describe('the region of a certificate', () => {
  const abroad = {
    domain: { ...domain, certificateArn: certificateArn.replace('eu-central-1', 'us-east-1') },
  }

  it('is not compared while the region of the stack is unknown', () => {
    expect(findPropProblems(abroad, undefined)).toEqual([])
  })

  it('is compared with the region of the stack, else of the credentials', () => {
    expect(findRegion('eu-west-1', {})).toBe('eu-west-1')
    const credentials = { CDK_DEFAULT_ACCOUNT: '111122223333', CDK_DEFAULT_REGION: 'eu-north-1' }
    expect(findRegion(undefined, credentials)).toBe('eu-north-1')
    expect(findRegion(undefined, { CDK_DEFAULT_REGION: 'us-east-1' })).toBeUndefined()
  })
})
