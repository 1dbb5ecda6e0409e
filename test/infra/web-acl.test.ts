import { App, Stack } from 'aws-cdk-lib'
import { describe, expect, it } from 'vitest'
import { addressPaths, addressRules, countedRules, createWebAcl } from '../../infra/front-door/web-acl.ts'
import { exampleProductUrl } from '../../lib/accounts/example-values.models.ts'
import { operations } from '../../lib/features/operations.ts'
import type { JsonValue } from '../support/client.ts'
import { resourcesOf } from './synthesis.ts'

/*
 * Requests that the service must accept, against the patterns that AWS documents for its common rule set. AWS does not publish
 * the exact expressions. These are at least as broad as its examples, and as requests that others saw blocked.
 */

const loopback = 'http://127.0.0.1:8080/callback'
const traversal = /\.\.(?:\/|%2f)/i
const restrictedExtension = /\.(?:log|ini)\b/
const patterns: Readonly<Record<string, (request: Request) => boolean>> = {
  EC2MetaDataSSRF_QUERYARGUMENTS: ({ query }) => /169\.254\.169\.254|\/\/(?:localhost|127\.)/.test(query),
  EC2MetaDataSSRF_BODY: ({ body }) => /169\.254\.169\.254|\/\/(?:localhost|127\.)/.test(body),
  GenericRFI_QUERYARGUMENTS: ({ query }) => /(?:https?|ftps?|file):\/\/\d+\.\d+\.\d+\.\d+/.test(query),
  GenericRFI_BODY: ({ body }) => /(?:https?|ftps?|file):\/\/\d+\.\d+\.\d+\.\d+/.test(body),
  SizeRestrictions_QUERYSTRING: ({ query }) => query.length > 2048,
  SizeRestrictions_BODY: ({ body }) => body.length > 8192,
  GenericLFI_QUERYARGUMENTS: ({ query }) => traversal.test(query),
  GenericLFI_URIPATH: ({ path }) => traversal.test(path),
  GenericLFI_BODY: ({ body }) => traversal.test(body),
  CrossSiteScripting_QUERYARGUMENTS: ({ query }) => /<script|javascript:/i.test(query),
  CrossSiteScripting_BODY: ({ body }) => /<script|javascript:/i.test(body),
  RestrictedExtensions_QUERYARGUMENTS: ({ query }) => restrictedExtension.test(query),
  RestrictedExtensions_URIPATH: ({ path }) => restrictedExtension.test(path),
}

interface Request {
  readonly path: string
  readonly query: string
  readonly body: string
}

const request = (path: string, { query = '', body = '' } = {}): Request => ({ path, query, body })

const counted = [...Object.keys(countedRules), ...Object.keys(addressRules)]

/** The rule that blocks a request, as the web ACL decides it. */
const blockedBy = (one: Request): string | undefined => {
  const matching = Object.entries(patterns).flatMap(([rule, matches]) => (matches(one) ? [rule] : []))
  const [rule] = matching.filter((name) => !counted.includes(name))
  if (rule) return rule
  const isLabeled = matching.some((name) => Object.hasOwn(addressRules, name))
  return isLabeled && !new RegExp(addressPaths).test(one.path) ? 'addresses-outside-of-oauth' : undefined
}

describe('the web ACL', () => {
  it.each([
    request('/oauth2/authorize', { query: `client_id=a&redirect_uri=${loopback}` }),
    request('/oauth2/authorize', { query: 'redirect_uri=http://localhost:4200/callback' }),
    request('/oauth2/authorize', { query: 'redirect_uri=http://[::1]:4200/callback' }),
    request('/oauth2/token', { body: `grant_type=authorization_code&redirect_uri=${loopback}` }),
    request('/oauth2/logout', { query: `post_logout_redirect_uri=${loopback}` }),
    request('/api/2/oidc-clients', { body: JSON.stringify({ redirect_uris: [loopback] }) }),
    request('/api/2/oidc-clients/7', { body: JSON.stringify({ redirect_uris: ['http://localhost/'] }) }),
    request('/api/2/auth/saml/1/assertion', { body: `SAMLResponse=${'A'.repeat(200_000)}` }),
    request('/api/2/auth/saml/1/sls', { query: `SAMLRequest=${'A'.repeat(4000)}` }),
    request('/api/2/auth/saml', { body: '<EntityDescriptor Location="http://10.0.0.7/sso"/>' }),
    request('/api/2/auth/login', { body: JSON.stringify({ password: '../<script>' }) }),
    request('/check-return-url', { query: `return_to=${exampleProductUrl}` }),
    request('/', { query: 'return_to=https://app.example.com/logs/server.log' }),
    request('/', { query: 'return_to=https%3A%2F%2Fapp.example.com%2Fa%2F..%2fb' }),
    request('/oauth2/authorize', {
      query: 'redirect_uri=https://app.example.com/callback&state=..%2Fphp.ini',
    }),
    request('/api/2/users', { query: 'search=../server.log' }),
  ])('accepts %j', (one) => {
    expect(blockedBy(one)).toBeUndefined()
  })

  it.each([
    request('/api/2/users', { query: 'search=http://169.254.169.254/latest/meta-data' }),
    request('/', { query: 'return_to=http://127.0.0.1/' }),
    request('/api/2/oidc-clients-of-others', { query: 'a=http://127.0.0.1/' }),
    request('/api/2/users/me', { body: 'http://169.254.169.254/latest/meta-data' }),
  ])('blocks %j', (one) => {
    expect(blockedBy(one)).toBe('addresses-outside-of-oauth')
  })

  it.each([
    [request('/..%2f..%2fetc/passwd'), 'GenericLFI_URIPATH'],
    [request('/logs/server.log'), 'RestrictedExtensions_URIPATH'],
  ])('blocks %j by %s', (one, rule) => {
    expect(blockedBy(one)).toBe(rule)
  })

  it('exempts only paths that operations have', () => {
    const paths = operations.map(({ path }) => path).filter((path) => new RegExp(addressPaths).test(path))
    expect(paths).toEqual(
      expect.arrayContaining(['/oauth2/authorize', '/oauth2/token', '/api/2/oidc-clients']),
    )
    for (const path of paths) expect(path).toMatch(/^\/(oauth2|api\/2\/oidc-clients)/)
  })

  it('counts the rules about addresses, and blocks by their labels after them', () => {
    const app = new App({ analyticsReporting: false })
    createWebAcl(new Stack(app, 'Acl'), 100)
    const [[, acl] = []] = resourcesOf(app.synth().getStackByName('Acl').template, 'AWS::WAFv2::WebACL')
    const [group, own]: readonly JsonValue[] = acl?.Properties.Rules.slice(-2) ?? []
    const overrides = group?.Statement.ManagedRuleGroupStatement.RuleActionOverrides
    for (const Name of counted) expect(overrides).toContainEqual({ Name, ActionToUse: { Count: {} } })
    expect(own?.Priority).toBeGreaterThan(group?.Priority)
    const [labels, paths] = own?.Statement.AndStatement.Statements ?? []
    const matched = labels.OrStatement.Statements.map((one: JsonValue) => one.LabelMatchStatement)
    expect(matched).toEqual(
      Object.values(addressRules).map((label) => ({
        Scope: 'LABEL',
        Key: `awswaf:managed:aws:core-rule-set:${label}`,
      })),
    )
    expect(paths.NotStatement.Statement.RegexMatchStatement.RegexString).toBe(addressPaths)
  })
})
