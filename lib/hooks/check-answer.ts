import { normalizeUsername } from '../accounts/names/names.ts'
import { toClaimValue } from '../features/oauth/claim-names.ts'
import { findHookClaimsProblem } from '../features/oauth/hook-claim-names.ts'
import { isAttributeValue } from '../kernel/contract/stored-attributes.ts'
import { isDisplayText } from '../kernel/contract/text-rules.ts'
import { hookAnswerBytes } from '../kernel/limits/hook-limits.ts'
import { addedClaimsBytes } from '../kernel/limits/limits.ts'
import { isPlainObject } from '../kernel/options/check-options.ts'
import { findProblems } from './find-problems.ts'
import type { HookAnswers, HookName } from './generated/hook-types.ts'
import { answerSchemas } from './generated/schemas.ts'
import { HookError } from './hook-error.ts'

/** What the settings of a service let a hook do. A list that is missing allows all that a service can allow. */
export interface AllowedAnswers {
  readonly groups?: readonly string[] | undefined
  readonly attributes?: readonly string[] | undefined
  readonly claims?: readonly string[] | undefined
}

/**
 * Returns an answer as the service reads it: what JSON has of it.
 *
 * @throws HookError if the service would not use it
 */
export const readAnswer = <Name extends HookName>(
  name: Name,
  given: unknown,
  allowed: AllowedAnswers = {},
): HookAnswers[Name] => {
  const text = JSON.stringify(given) ?? 'null'
  if (countBytes(text) > hookAnswerBytes)
    throw new HookError(name, [`The answer has more than ${hookAnswerBytes} bytes.`])
  const answer: unknown = JSON.parse(text)
  const problems = findProblems(answer, answerSchemas[name], 'answer')
  const others = problems.length === 0 && isPlainObject(answer) ? findRuleProblems(answer, allowed) : []
  if (problems.length + others.length > 0) throw new HookError(name, [...problems, ...others])
  return answer as HookAnswers[Name]
}

const countBytes = (text: string): number => new TextEncoder().encode(text).length

/** The rules that a schema cannot say. */
const findRuleProblems = (
  { message, claims, groups, attributes }: Readonly<Record<string, unknown>>,
  allowed: AllowedAnswers,
): readonly string[] => [
  ...(typeof message === 'string' && !isDisplayText(message)
    ? ['answer.message must be one line of visible characters.']
    : []),
  ...(Array.isArray(groups) ? findGroupProblems(groups, allowed.groups) : []),
  ...(isPlainObject(attributes)
    ? findUnlisted('attributes', Object.keys(attributes), allowed.attributes)
    : []),
  ...(isPlainObject(claims) ? findClaimProblems(claims, allowed.claims) : []),
]

/** Groups are found by their names without regard to case. */
const findGroupProblems = (
  names: readonly string[],
  allowed: readonly string[] | undefined,
): readonly string[] => {
  const listed = allowed?.map(normalizeUsername)
  const normalized = names.map(normalizeUsername)
  return [
    ...findUnlisted(
      'groups',
      names,
      listed && names.filter((name) => listed.includes(normalizeUsername(name))),
    ),
    ...names
      .filter((name, at) => normalized.indexOf(normalizeUsername(name)) !== at)
      .map((name) => `answer.groups has ${JSON.stringify(name)} twice.`),
  ]
}

const findUnlisted = (
  setting: keyof AllowedAnswers,
  names: readonly string[],
  allowed: readonly string[] | undefined,
): readonly string[] =>
  names
    .filter((name) => allowed?.includes(name) === false)
    .map(
      (name) =>
        `answer.${setting} has ${JSON.stringify(name)}, which the setting ${setting} of the hook does not list.`,
    )

const findClaimProblems = (
  claims: Readonly<Record<string, unknown>>,
  allowed: readonly string[] | undefined,
): readonly string[] => [
  ...(countBytes(JSON.stringify(claims)) > addedClaimsBytes
    ? [`answer.claims has more than ${addedClaimsBytes} bytes.`]
    : []),
  ...Object.entries(claims).flatMap(([name, value]) => {
    const problem = findHookClaimsProblem([name])
    if (problem !== undefined) return [`answer.claims ${problem}.`]
    const unlisted = findUnlisted('claims', [name], allowed)
    if (unlisted.length > 0) return unlisted
    const isValue = isAttributeValue(value) && toClaimValue({ name, place: 'top' }, value) !== undefined
    return isValue ? [] : [`answer.claims.${name} is no value of this claim of OpenID Connect.`]
  }),
]
