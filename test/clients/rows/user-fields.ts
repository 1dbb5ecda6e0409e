import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Trial } from '../row.ts'

/** A field that is stored as given. */
const stored = (field: string, value: unknown): Trial => ({
  value,
  expect: ({ call, body }) => expect(body[field]).toEqual(call.body?.[field]),
})

/** A field that clients send and the service decides: it is accepted and changes nothing. */
const decided = (field: string, value: unknown, shown: unknown): Trial => ({
  value,
  expect: ({ body }) => expect(body[field]).toEqual(shown),
})

const expiry = '2099-12-31T23:59:59.000Z'

/** The optional fields of a user in requests. */
export const userFields: Readonly<Record<string, Trial>> = {
  allow_changing_password: stored('allow_changing_password', false),
  allow_wan_login: stored('allow_wan_login', false),
  default_page: stored('default_page', '/projects'),
  email: stored('email', () => `${randomUUID()}@example.com`),
  expiry: {
    value: expiry,
    python: '2099-12-31T23:59:59',
    expect: ({ body }) => expect(body.expiry).toBe(expiry),
  },
  fm_bookmarks: stored('fm_bookmarks', ['/a', '/b']),
  full_name: stored('full_name', 'Jürgen Müller 🎬'),
  gid: stored('gid', -2147483648),
  home: stored('home', 7),
  is_external: stored('is_external', true),
  is_cloud: stored('is_cloud', true),
  is_enabled: stored('is_enabled', false),
  language: stored('language', 'de'),
  ldap: stored('ldap', { id: 3 }),
  ldap_dn: stored('ldap_dn', 'cn=ann,dc=example,dc=com'),
  password_change_required: stored('password_change_required', true),
  shaper_ceiling: stored('shaper_ceiling', 10),
  shaper_rate: stored('shaper_rate', 5),
  uid: stored('uid', 1001),
  unix_username: stored('unix_username', 'ann'),
  avatar: { ...decided('avatar', 'data:image/png;base64,AA==', null), only: 'npm' },
  is_cloud_default: { ...decided('is_cloud_default', true, false), only: 'npm' },
  last_seen: { ...decided('last_seen', expiry, null), only: 'npm' },
  totp_enabled: { ...decided('totp_enabled', true, false), only: 'npm' },
}
