import { describe, expect, it } from 'vitest'
import { isLoopbackAddress, isPublicAddress } from '../../../lib/features/connections/ssrf-safe-request.ts'
import { readMetadataAddress, validateWebAddress } from '../../../lib/features/connections/web-address.ts'

describe('an address', () => {
  it.each([
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.0',
    '192.167.255.255',
    '198.17.255.255',
    '223.255.255.254',
    '2606:4700:4700::1111',
    '2a00:1450:4001:82a::200e',
  ])('is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  it.each([
    ...[
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '10.255.255.255',
      '127.0.0.1',
      '127.255.0.1',
      '100.64.0.1',
      '100.127.255.255',
    ],
    ...[
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '192.0.0.170',
      '192.0.2.1',
      '192.88.99.1',
    ],
    ...['198.18.0.1', '198.19.255.255', '198.51.100.7', '203.0.113.9', '224.0.0.1', '239.1.2.3', '240.0.0.1'],
    '255.255.255.255',
    ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a9fe:a9fe', '::127.0.0.1', '::8.8.8.8'],
    ...[
      '64:ff9b::127.0.0.1',
      '64:ff9b::808:808',
      '64:ff9b:1::1',
      '2002:7f00:1::',
      '2002:808:808::1',
      '2001:0:53aa::1',
    ],
    ...[
      'fe80::1',
      'fe80::1%eth0',
      'fec0::1',
      'fc00::1',
      'fd12:3456::1',
      'ff02::1',
      '100::1',
      '2001:db8::1',
      '3fff::1',
    ],
    ...['2001:2::1', '2001:10::1', '2001:20::1', '5f00::1', '4000::1', '8000::1', 'fd00:ec2::254'],
    ...[
      '',
      'localhost',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.1',
      '8.8.8',
      '8.8.8.8.8',
      '08.8.8.8',
      '8.8.8.8 ',
      '٨.8.8.8',
    ],
  ])('is not public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  it('is a loopback address in 127.0.0.0/8 and ::1', () => {
    for (const address of ['127.0.0.1', '127.8.9.10', '::1']) expect(isLoopbackAddress(address)).toBe(true)
    for (const address of ['0.0.0.0', '128.0.0.1', '::', '::ffff:127.0.0.1', 'localhost'])
      expect(isLoopbackAddress(address)).toBe(false)
  })
})

describe('a metadata URL', () => {
  const strict = { allowsLoopback: false }
  const local = { allowsLoopback: true }
  const validate = (text: string, rules = strict): string | undefined => {
    const read = readMetadataAddress(text, rules)
    return typeof read === 'string' ? read : undefined
  }

  it('is accepted as an https URL whose fragment names an entity', () => {
    expect(readMetadataAddress('https://idp.example.com:443/metadata?x=1#urn:idp%2Fone', strict)).toEqual({
      url: new URL('https://idp.example.com/metadata?x=1'),
      entityId: 'urn:idp/one',
    })
    expect(
      readMetadataAddress('https://idp.example.com/#https://idp.example.com/?a=1#b', strict),
    ).toMatchObject({
      entityId: 'https://idp.example.com/?a=1#b',
    })
    expect(readMetadataAddress('https://idp.example.com/#%', strict)).toMatchObject({ entityId: '%' })
    expect(readMetadataAddress('https://idp.example.com/#', strict)).toMatchObject({ entityId: undefined })
  })

  it.each([
    ...[
      '',
      'idp.example.com',
      '/metadata',
      '//idp.example.com',
      'https://',
      'https:// idp.example.com',
      'localhost:9001',
    ],
    ...[
      'http://idp.example.com',
      'ftp://idp.example.com',
      'file:///etc/passwd',
      'data:text/xml,<a/>',
      'javascript:1',
    ],
    ...['https://user@idp.example.com', 'https://user:pass@idp.example.com', 'https://:pass@idp.example.com'],
    ...[
      'https://idp.example.com:8443',
      'https://idp.example.com:80',
      'http://idp.example.com:443',
      'https://idp.example.com:0',
    ],
    ...[
      'https://idp.example.com\\@evil.example',
      'https://idp.exa\tmple.com',
      'https://idp.example.com\n',
      ' https://a.b',
    ],
    ...[
      'http://localhost:9001',
      'http://127.0.0.1',
      'https://127.0.0.1:9001',
      'https://[::1]:9001',
      'gopher://a:443',
    ],
    ...[
      'https://idp.example.com/\u0000',
      `https://idp.example.com/${'x'.repeat(2048)}`,
      'https://[::1%25lo]/',
      'https://a..b:443x/',
    ],
  ])('is rejected before any lookup: %s', (text) => {
    expect(validate(text)).toMatch(/^must /)
  })

  it('may name this machine only if that is allowed, on any port and without TLS', () => {
    for (const url of [
      'http://127.0.0.1:9001/',
      'https://localhost:9001/',
      'http://[::1]:80/',
      'http://localhost./',
    ]) {
      expect(validate(url, local)).toBeUndefined()
      expect(validate(url)).toMatch(/^must /)
    }
    for (const url of [
      'http://10.0.0.1/',
      'http://idp.example.com/',
      'https://idp.example.com:9001/',
      'http://localhost.evil.example/',
    ])
      expect(validate(url, local)).toMatch(/^must /)
  })

  it('is recognized in every notation of an address', () => {
    for (const host of [
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '127.0.0.1.',
      '%31%32%37.0.0.1',
      '１２７.0.0.1',
    ]) {
      const read = readMetadataAddress(`https://${host}/`, local)
      expect(typeof read === 'string' ? read : read.url.hostname).toBe('127.0.0.1')
    }
  })
})

describe('a web address', () => {
  it('is accepted with https, or as http on this machine if allowed', () => {
    expect(
      validateWebAddress('https://idp.example.com:8443/sso?idpid=1', { allowsLoopback: false }),
    ).toBeUndefined()
    expect(validateWebAddress('http://127.0.0.1:8080/sso', { allowsLoopback: true })).toBeUndefined()
    expect(validateWebAddress('http://127.0.0.1:8080/sso', { allowsLoopback: false })).toBe(
      'must start with https://',
    )
    for (const text of [
      'http://idp.example.com/',
      'javascript:alert(1)',
      'data:text/html,x',
      'https://a@idp.example.com/',
      'https://idp.example.com/#x',
      'https://idp.example.com/#',
      '/sso',
      '',
      'https://idp.example.com/a b',
    ])
      expect(validateWebAddress(text, { allowsLoopback: true })).toMatch(/^must /)
  })
})
