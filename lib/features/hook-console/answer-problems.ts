import { addedClaimsBytes } from '../../kernel/limits/limits.ts'
import type { Hook, HookName } from '../../kernel/settings/hooks.ts'
import { hookSchemas } from '../hooks/hook-schemas.ts'

interface AnswerProblem {
  readonly field: string
  readonly message: string
}

const problemsShown = 20
const textShown = 300
const shorten = (text: string): string => text.slice(0, textShown)

/** Lists what a hook may not answer, for the person who writes its function. Names come from the answer, so they are text alone. */
export const listAnswerProblems = (name: HookName, hook: Hook, answer: unknown): readonly AnswerProblem[] => {
  const { error } = hookSchemas[`${name}Answer`].safeParse(answer)
  const ofSchema = (error?.issues ?? []).flatMap((issue) => {
    const path = issue.path.map(String)
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ field: [...path, key].join('.'), message: 'is not allowed' }))
      : [{ field: path.join('.') || 'the answer', message: 'does not have the form that the schema says' }]
  })
  const given = typeof answer === 'object' && answer !== null ? new Map(Object.entries(answer)) : new Map()
  const found = [
    ...ofSchema,
    ...listUnlisted('claims', Object.keys(toObject(given.get('claims'))), hook.claims),
    ...listUnlisted('attributes', Object.keys(toObject(given.get('attributes'))), hook.attributes),
    ...listUnlisted('groups', toTexts(given.get('groups')), hook.groups),
    ...(Buffer.byteLength(JSON.stringify(given.get('claims') ?? '')) > addedClaimsBytes
      ? [{ field: 'claims', message: `has more than ${addedClaimsBytes} bytes` }]
      : []),
  ]
  return found
    .slice(0, problemsShown)
    .map(({ field, message }) => ({ field: shorten(field), message: shorten(message) }))
}

const listUnlisted = (
  field: string,
  given: readonly string[],
  allowed: readonly string[],
): readonly AnswerProblem[] =>
  given
    .filter((one) => !allowed.includes(one))
    .map((one) => ({ field: `${field}.${one}`, message: `is not in the list of ${field}` }))

const toObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})
const toTexts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
