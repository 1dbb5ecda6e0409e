import type { Figures } from '../load/measure.ts'

/** What an aim compares, with the limit. */
export interface Aim {
  readonly text: string
  readonly ratio: number
  readonly limit: number
  readonly isMet: boolean
}

/** Returns the figures of a scenario for a target, or of a floor. Undefined if they were not measured. */
export type FindFigures = (scenario: string, target?: string) => Figures | undefined

export const bundles = 'Latchkey bundles'
export const localMode = 'Latchkey npm start'
const django = 'Django REST framework'
const betterAuth = 'Better Auth'

const atLeast = (text: string, value: number | undefined, other: number | undefined, limit: number) =>
  compare(text, value, other, limit, (ratio) => ratio >= limit)
const atMost = (text: string, value: number | undefined, other: number | undefined, limit: number) =>
  compare(text, value, other, limit, (ratio) => ratio <= limit)

const compare = (
  text: string,
  value: number | undefined,
  other: number | undefined,
  limit: number,
  isWithin: (ratio: number) => boolean,
): Aim[] => {
  if (value === undefined || other === undefined) return []
  const ratio = value / other
  return [{ text, ratio, limit, isMet: isWithin(ratio) }]
}

/** The number of users on a page. A directory with fewer has a shorter page, which cannot be compared with a full one. */
const pageLength = 20
/** The CPU time of a page may differ by this factor, because of noise, and still count as flat. */
const flatFactor = 1.15
const cores = (count: number, hashMs: number | undefined) => hashMs && (count * 1000) / hashMs

/** Compares the figures of one run with the aims. Aims whose peers were not measured are left out. */
export const checkAims = (find: FindFigures, cpuCount: number, rows: readonly number[]): readonly Aim[] => {
  const speed = (scenario: string, target: string) => find(scenario, target)?.perSecond
  const cpu = (scenario: string, target?: string) => find(scenario, target)?.cpuMs
  const hashMs = cpu('bcrypt')
  const fullPages = rows.filter((count) => count >= pageLength)
  const [fewest, most] = [fullPages[0], fullPages.at(-1)]
  return [
    ...atLeast(
      'who am I: requests a second ÷ Django',
      speed('who-am-i', bundles),
      speed('who-am-i', django),
      1.25,
    ),
    ...atLeast(
      'who am I: requests a second ÷ Better Auth',
      speed('who-am-i', bundles),
      speed('who-am-i', betterAuth),
      2,
    ),
    ...atMost(
      'who am I: CPU ÷ (bare gateway and one SDK call)',
      cpu('who-am-i', bundles),
      cpu('sdk-call'),
      1.3,
    ),
    ...atLeast(
      'API token: requests a second ÷ Django REST framework',
      speed('api-token', bundles),
      speed('api-token', django),
      1.25,
    ),
    ...atMost(
      'API token: CPU ÷ (bare gateway and one SDK call)',
      cpu('api-token', bundles),
      cpu('sdk-call'),
      1.3,
    ),
    ...atLeast(
      `sign-in, npm start: requests a second ÷ (${cpuCount} cores ÷ time of a hash)`,
      speed('sign-in', localMode),
      cores(cpuCount, hashMs),
      0.95,
    ),
    ...atLeast(
      'sign-in, bundles: requests a second ÷ (1 core ÷ time of a hash)',
      speed('sign-in', bundles),
      cores(1, hashMs),
      0.95,
    ),
    ...atLeast(
      'sign-in, npm start: requests a second ÷ hashes a second in a thread for each core',
      speed('sign-in', localMode),
      find('bcrypt-threads')?.perSecond,
      0.95,
    ),
    ...atLeast(
      'sign-in, bundles: requests a second ÷ hashes a second in one thread',
      speed('sign-in', bundles),
      find('bcrypt')?.perSecond,
      0.95,
    ),
    ...[localMode, bundles].flatMap((target) => {
      const figures = find('sign-in', target)
      return atMost(`sign-in, ${target}: p99 ÷ p50`, figures?.p99Ms, figures?.p50Ms, 2)
    }),
    ...atMost('SAML response: CPU ÷ node-saml alone', cpu('saml', bundles), cpu('node-saml'), 1.6),
    ...(fewest === most
      ? []
      : atMost(
          `page of 20: CPU with ${most} rows ÷ with ${fewest}`,
          cpu(`page ${most}`, bundles),
          cpu(`page ${fewest}`, bundles),
          flatFactor,
        )),
    ...rows.flatMap((count) =>
      atLeast(
        `page of 20 of ${count}: requests a second ÷ Django REST framework`,
        speed(`page ${count}`, bundles),
        speed(`page ${count}`, django),
        1,
      ),
    ),
  ]
}
