import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { generatePassword } from '../../local/ports.ts'
import { functionEnvironment, readSettings } from '../../local/settings.ts'

describe('settings', () => {
  test('have defaults, also for empty values', () => {
    const defaults = {
      port: 3000,
      mailPort: 3001,
      dataDir: resolve('.local'),
      adminPassword: undefined,
      publicUrl: 'http://localhost:3000',
      dynamodbEndpoint: undefined,
    }
    expect(readSettings({})).toEqual(defaults)
    const empty = { PORT: '', DATA_DIR: '', ADMIN_PASSWORD: '', PUBLIC_URL: '', DYNAMODB_ENDPOINT: '' }
    expect(readSettings(empty)).toEqual(defaults)
  })

  test('are read', () => {
    const settings = readSettings({
      PORT: '8080',
      DATA_DIR: ':memory:',
      ADMIN_PASSWORD: 'correct horse',
      PUBLIC_URL: 'https://auth.example/',
      DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000',
    })
    expect(settings).toEqual({
      port: 8080,
      mailPort: 8081,
      dataDir: ':memory:',
      adminPassword: 'correct horse',
      publicUrl: 'https://auth.example',
      dynamodbEndpoint: 'http://127.0.0.1:8000',
    })
  })
})

describe('the environment of the functions', () => {
  const engine = 'http://127.0.0.1:1234'
  const own = { AWS_ACCESS_KEY_ID: 'AKIA', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' }
  const environmentOf = (env: Record<string, string>) => {
    const settings = readSettings(env)
    return functionEnvironment(env, settings, settings.dynamodbEndpoint ?? engine, {
      vaultKey: '/data/vault.key',
      auditKey: '/data/audit.key',
    })
  }

  test('contains all endpoints and keeps other variables except the password', () => {
    expect(
      environmentOf({
        PORT: '8080',
        SIGN_IN_URL: 'https://a.example/in',
        ADMIN_PASSWORD: 'x'.repeat(12),
        KMS_KEY_ID: 'a key of AWS',
        AUDIT_KEY_ID: 'a key of AWS',
        ORIGIN_SECRETS: 'x'.repeat(32),
        ALLOW_DIRECT_REQUESTS: 'true',
      }),
    ).toEqual({
      PORT: '8080',
      SIGN_IN_URL: 'https://a.example/in',
      TABLE_NAME: 'latchkey',
      PUBLIC_URL: 'http://localhost:8080',
      DYNAMODB_ENDPOINT: engine,
      LOCAL_KEY_FILE: '/data/vault.key',
      LOCAL_AUDIT_KEY_FILE: '/data/audit.key',
      AWS_ENDPOINT_URL_SES: 'http://127.0.0.1:8081',
      AWS_ENDPOINT_URL_SESV2: 'http://127.0.0.1:8081',
      AWS_REGION: 'local',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      VALIDATE_RESPONSES: 'true',
      LOG_LEVEL: 'warn',
      API_REFERENCE: 'try',
      MAIL_FROM: 'Latchkey <no-reply@localhost>',
    })
  })

  test('has no credentials of the user for the embedded engine', () => {
    const env = environmentOf({ ...own, AWS_PROFILE: 'work', AWS_REGION: 'eu-central-1' })
    expect(env).toMatchObject({
      AWS_REGION: 'local',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    })
    expect(Object.keys(env)).not.toContain('AWS_PROFILE')
    expect(Object.keys(env)).not.toContain('AWS_SESSION_TOKEN')
  })

  test('has the credentials of the user for an external DynamoDB', () => {
    const external = { DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000', AWS_REGION: 'eu-central-1' }
    expect(environmentOf({ ...own, ...external })).toMatchObject({ ...own, ...external })
    const profile = environmentOf({ AWS_PROFILE: 'work', ...external })
    expect(profile).toMatchObject({ AWS_PROFILE: 'work', ...external })
    expect(profile).not.toHaveProperty('AWS_ACCESS_KEY_ID')
    expect(environmentOf(external)).toMatchObject({ ...external, AWS_ACCESS_KEY_ID: 'local' })
  })
})

test('generates passwords of 24 uniformly chosen characters that need no quoting', () => {
  const passwords = Array.from({ length: 2000 }, generatePassword)
  expect(passwords.filter((password) => !/^[A-Za-z2-9]{24}$/.test(password))).toEqual([])
  expect(new Set(passwords).size).toBe(passwords.length)
  const counts = new Map<string, number>()
  for (const letter of passwords.join('')) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  expect(counts.size).toBe(56)
  // 48,000 characters, 857 of each on average with a standard deviation of 29: ten deviations never happen.
  for (const count of counts.values()) expect(Math.abs(count - 857)).toBeLessThan(290)
})
