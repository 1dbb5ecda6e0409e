import { declaredProviders } from '../../../lib/features/connections/public-providers.models.ts'
import { readSearchTerms, type SearchTerm } from '../../kit/search-words.ts'
import { toAddress } from '../kit/route.ts'
import type { sections } from '../sections.ts'

export type Sections = typeof sections
/** Formats a message of `messagesOf('search')`. The search passes it, so that tests can rank without a page. */
type Say = (name: PlaceName, values?: Readonly<Record<string, string>>) => string

/** Something that the search of the console leads to without a call. */
export interface Place {
  readonly kind: 'places' | 'actions'
  readonly name: string
  /** The section that it belongs to. */
  readonly note?: string | undefined
  /** English phrases for it, separated by commas. The search finds them in every language of the console. */
  readonly words: string
  readonly address: string
}

/** What a section is for, in the words that people use. */
const wordsOfSections: ReadonlyMap<string, string> = new Map(
  Object.entries({
    overview: 'dashboard, home, start, numbers',
    activity: 'usage, statistics, active users, analytics, charts, metrics, monthly active users',
    users:
      'people, accounts, members, sessions, sign out everywhere, impersonate, impersonation, delete user, reset password, second factor, account is locked',
    groups: 'members, permissions, teams',
    organizations: 'customers, companies, teams, members, organisation',
    'user-templates': 'defaults of new users',
    'user-attributes': 'custom fields, metadata, profile fields, claims',
    'sign-up': 'registration, approval, allowed domains, terms',
    'api-tokens': 'api keys, leaked token, revoke token',
    'access-links': 'guests, share, shared links',
    blocks: 'rate limits, throttled, bounced emails, suppressed addresses, ip address',
    connections: 'company sign-in, identity provider, saml, openid connect, scim, sign in with google',
    branding: 'colors, appearance, emails, email templates, logo',
    apps: 'clients, oauth, openid connect, next.js, single-page app, client credentials, native apps, redirect uri, python',
    apis: 'scopes, audience, access token, resource server',
    policies:
      'sign-in policies, sign-in rules, password rules, second factor, passkeys, emailed codes, security',
    hooks: 'hook, functions, lambda, actions, triggers, beforesignup, aftersignin, beforetoken',
    health: 'status, errors, failed emails, smtp, email delivery, certificates expire, cost',
    'audit-events': 'audit events, audit log, history, webhooks, log, who did what, sign-ins, export log',
  }),
)

/** Pages and parts of pages that the name of their section does not contain. */
const parts = [
  ['passwordRules', 'policies', [], 'password policy, password length, password strength'],
  [
    'secondFactor',
    'policies',
    ['second-factor'],
    'second factor, two-step verification, authenticator app, remembered browsers',
  ],
  ['accountDeletion', 'policies', ['account-deletion'], 'account deletion, delete own account, privacy'],
  ['emailCodes', 'policies', ['email-codes'], 'code by email, emailed codes, magic link, one-time code'],
  ['logo', 'branding', [], 'logo, theme, texts, support address, dark logo, branding'],
  ['certificates', 'connections', [], 'certificate, metadata, domain, expire'],
  ['locked', 'blocks', [], 'locked accounts, too many attempts, locked out, rate limits'],
  ['clients', 'apps', [], 'client secret, client id, oauth, openid connect'],
  ['roles', 'organizations', ['roles'], 'roles, member, permissions of roles'],
  ['agents', 'apis', ['agents'], 'agents, mcp, model context protocol'],
] as const

/** What a person can start: the permission that it needs, the place of its form, and other words for it. */
const actions = [
  ['newUser', 'users:manage', toAddress('users', ['new']), 'create user, add user, invite, invitations'],
  ['newGroup', 'users:manage', toAddress('groups', ['new']), 'create group, add group'],
  [
    'newOrganization',
    'organizations:manage',
    toAddress('organizations', ['new']),
    'create organization, add organization, new company, new customer, new organisation',
  ],
  [
    'newApp',
    'system:admin-access',
    toAddress('apps', ['new']),
    'create app, add app, new client, create client, register app',
  ],
  ['newApi', 'system:admin-access', toAddress('apis', ['new']), 'create api, add api, register api'],
  [
    'newToken',
    'system:admin-access',
    '/account#/api-tokens',
    'create api token, add token, new api key, create api key',
  ],
  [
    'setUpCompany',
    'system:admin-access',
    toAddress('connections', ['new']),
    'add company sign-in, new connection, add connection, set up identity provider, add identity provider',
  ],
  [
    'trySignIn',
    'system:admin-access',
    toAddress('apps'),
    'test sign-in, try sign-in, try a sign-in, test a sign-in',
  ],
] as const

export type PlaceName = (typeof parts)[number][0] | (typeof actions)[number][0] | 'addProvider'

/** A field of a form, and the section whose permission shows it. */
export interface Setting {
  readonly field: string
  readonly label: string
  readonly section: string
  readonly path: readonly string[]
}

interface PlacesOptions {
  /** The sections that the person may see, with their labels. */
  readonly allowed: readonly { readonly name: string; readonly label: string }[]
  readonly can: (permission: string) => boolean
  readonly say: Say
  readonly settings: readonly Setting[]
}

/** Lists the sections, their parts, the settings and the actions that a person may open. */
export const listPlaces = ({ allowed, can, say, settings }: PlacesOptions): readonly Place[] => {
  const names = new Map(allowed.map(({ name, label }) => [name, label]))
  const inSection = (section: string, name: string, path: readonly string[], words: string): Place[] => {
    const note = names.get(section)
    return note === undefined
      ? []
      : [{ kind: 'places', name, note, words, address: toAddress(section, path) }]
  }
  return [
    ...allowed.map(
      ({ name, label }): Place => ({
        kind: 'places',
        name: label,
        words: [name.replaceAll('-', ' '), wordsOfSections.get(name)].filter(Boolean).join(', '),
        address: toAddress(name),
      }),
    ),
    ...parts.flatMap(([name, section, path, words]) => inSection(section, say(name), path, words)),
    ...actions
      .filter(([, permission]) => can(permission))
      .map(([name, , address, words]): Place => ({ kind: 'actions', name: say(name), words, address })),
    ...(can('system:admin-access')
      ? Object.values(declaredProviders).flatMap(({ name }): Place[] =>
          name === null
            ? []
            : [
                {
                  kind: 'actions',
                  name: say('addProvider', { name }),
                  words: `add ${name}, sign in with ${name}, ${name}`.toLowerCase(),
                  address: toAddress('connections', ['oidc', 'new']),
                },
              ],
        )
      : []),
    ...settings.flatMap(({ field, label, section, path }) =>
      inSection(section, label, path, field.replaceAll('_', ' ')),
    ),
  ]
}

/** Finds places by what a person typed, the best first. A place has every word, in its name or in the words for it. */
export const rankPlaces = (places: readonly Place[], text: string): readonly Place[] => {
  const terms = readSearchTerms(text)
  const exact = text.toLowerCase().trim()
  if (terms.length === 0) return []
  const seen = new Set<string>()
  return places
    .map((place) => ({ place, score: scorePlace(place, terms, exact) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ place }) => place)
    .filter(({ name, address }) => {
      const key = `${address} ${name}`
      return seen.has(key) ? false : Boolean(seen.add(key))
    })
}

const scores = { whole: 12, phrase: 10, start: 8, word: 6, wordOfWords: 5, part: 3, partOfWords: 1 }

const scorePlace = (place: Place, terms: readonly SearchTerm[], exact: string): number => {
  const name = place.name.toLowerCase()
  const phrases = place.words.split(', ')
  const ofTerms = terms.map(([typed = '', ...said]) =>
    Math.max(
      scoreWord(name, phrases, typed),
      // The first of the other words is nearest to what the person means.
      ...said.map((word, at) => (0.95 - at / 50) * scoreWord(name, phrases, word)),
    ),
  )
  const whole = Math.max(scoreWord(name, phrases, exact) >= scores.phrase ? scores.whole : 0)
  if (whole === 0 && ofTerms.includes(0)) return 0
  const sum = ofTerms.reduce((total, score) => total + score, 0)
  // A whole section comes before a part of it, and a single field is what fewer people mean.
  const weight = place.note === undefined ? 1.02 : 1
  return Math.max(whole, sum / terms.length) * weight
}

const scoreWord = (name: string, phrases: readonly string[], word: string): number => {
  if (name === word || name === `${word}s`) return scores.whole
  const at = phrases.findIndex((phrase) => phrase === word || phrase === `${word}s`)
  if (at >= 0) return scores.phrase - Math.min(at, 10) / 100
  if (name.startsWith(word)) return scores.start
  if (hasWordStart(name, word)) return scores.word
  if (phrases.some((phrase) => hasWordStart(phrase, word))) return scores.wordOfWords
  if (name.includes(word)) return scores.part
  return word.length > 2 && phrases.some((phrase) => phrase.includes(word)) ? scores.partOfWords : 0
}

const hasWordStart = (text: string, word: string): boolean =>
  text.startsWith(word) || text.includes(` ${word}`)
