import { describe, expect, it } from 'vitest'
import { readConfig } from '../../lib/kernel/settings/config.ts'
import { readSettings } from '../../local/settings.ts'

const good = { TABLE_NAME: 'table', PUBLIC_URL: 'https://auth.example.com' }
const arn = 'arn:aws:lambda:eu-central-1:111122223333:function:old-passwords'
const url = 'http://127.0.0.1:4000/check'
const until = '2027-03-31'
const read = (target: string | undefined, lastDay: string | undefined) =>
  readConfig({ ...good, LEGACY_PASSWORD_CHECK: target, LEGACY_PASSWORD_CHECK_UNTIL: lastDay })
    .legacyPasswordCheck

describe('the check of passwords at an old system', () => {
  it('is off by default', () => {
    expect(read(undefined, undefined)).toBeUndefined()
    expect(read('', '')).toBeUndefined()
  })

  it('ends with the last day', () => {
    expect(read(arn, until)?.endsAt).toBe(Date.parse('2027-04-01T00:00:00Z'))
    expect(read(arn, '2028-02-29')?.endsAt).toBe(Date.parse('2028-03-01T00:00:00Z'))
  })

  it('needs both settings', () => {
    expect(() => read(arn, undefined)).toThrow('LEGACY_PASSWORD_CHECK requires LEGACY_PASSWORD_CHECK_UNTIL')
    expect(() => read(undefined, until)).toThrow('LEGACY_PASSWORD_CHECK_UNTIL requires LEGACY_PASSWORD_CHECK')
  })

  it.each([
    [arn, 'eu-central-1', 'aws'],
    [`${arn}:live`, 'eu-central-1', 'aws'],
    [`${arn}:$LATEST`, 'eu-central-1', 'aws'],
    [
      arn.replace('aws', 'aws-us-gov').replace('eu-central-1', 'us-gov-west-1'),
      'us-gov-west-1',
      'aws-us-gov',
    ],
    [arn.replace('aws', 'aws-cn').replace('eu-central-1', 'cn-north-1'), 'cn-north-1', 'aws-cn'],
  ])('takes the function %s', (text, region, partition) => {
    expect(read(text, until)?.target).toEqual({ kind: 'function', arn: text, region, partition })
  })

  it.each([url, 'http://127.0.0.1:4000', 'http://127.0.0.1/check?realm=1'])('takes the URL %s', (text) => {
    expect(read(text, until)?.target).toEqual({ kind: 'local', url: text })
  })

  it.each([
    ...['https://127.0.0.1:4000/', 'http://localhost:4000/', 'http://0.0.0.0:4000/', 'http://[::1]:4000/'],
    ...['http://127.0.0.2/', 'http://169.254.169.254/latest', 'http://127.0.0.1.example.com/'],
    ...[
      'http://127.0.0.1@example.com/',
      'http://ada:x@127.0.0.1/',
      'http://127.0.0.1/#x',
      'file:///etc/passwd',
    ],
    ...[
      `${arn}*`,
      `${arn}:*`,
      `${arn}/x`,
      arn.replace(':function:', ':layer:'),
      arn.replace('lambda', 'sqs'),
    ],
    ...[arn.replace('111122223333', '*'), arn.replace('eu-central-1', 'example.com/'), ` ${arn}`, `${arn}\n`],
    ...[arn.replace('arn:aws:', 'arn:aws-x:'), `${arn},${arn}`, 'old-passwords', '*', 'constructor'],
  ])('rejects the target %j', (text) => {
    expect(() => read(text, until)).toThrow('LEGACY_PASSWORD_CHECK must be the ARN of a Lambda function')
  })

  it.each([
    ...['2027-02-29', '2027-02-30', '2027-04-31', '2027-13-01', '2027-00-10', '2027-01-00', '2027-1-1'],
    ...['2027-03-31T00:00:00Z', '31.03.2027', '1790000000', 'tomorrow', '+2027-03-31', ' 2027-03-31'],
  ])('rejects the last day %j', (text) => {
    expect(() => read(arn, text)).toThrow('LEGACY_PASSWORD_CHECK_UNTIL must be a day such as 2027-03-31')
  })

  it('calls no Lambda function in local mode', () => {
    const ofLocalMode = (target: string) =>
      readSettings({ LEGACY_PASSWORD_CHECK: target, LEGACY_PASSWORD_CHECK_UNTIL: until })
    expect(() => ofLocalMode(url)).not.toThrow()
    expect(() => ofLocalMode(arn)).toThrow('LEGACY_PASSWORD_CHECK must be a URL')
  })
})
