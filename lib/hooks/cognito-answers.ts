import { isPlainObject } from '../kernel/options/check-options.ts'
import type { HookAnswers, HookInputs, HookName } from './generated/hook-types.ts'
import { HookError } from './hook-error.ts'

/* The answers of hooks, from what handlers of Cognito's triggers respond. What has no equal is an error. */

export interface ResponseOptions {
  /** Whether claims for one kind of token go into both. */
  readonly sharesClaims: boolean
}

/** @throws HookError for a response that has no equal */
export const readCognitoResponse = (
  name: HookName,
  input: HookInputs[HookName],
  result: unknown,
  options: ResponseOptions,
): HookAnswers[HookName] => {
  const { response }: Readonly<Record<string, unknown>> = isPlainObject(result) ? result : {}
  if (!isPlainObject(response))
    throw new HookError(name, ['The handler returned no event. Return the event that it gets.'])
  return readers[name](response, input as never, options)
}

type Read<Name extends HookName> = (
  response: Readonly<Record<string, unknown>>,
  input: HookInputs[Name],
  options: ResponseOptions,
) => HookAnswers[Name]

const readers: { readonly [Name in HookName]: Read<Name> } = {
  beforeSignUp: (response, { account }) => {
    const problems = [
      ...(response['autoVerifyEmail'] === true && !account.email_verified
        ? ['autoVerifyEmail has no equal for an address that nobody proved.']
        : []),
      ...(response['autoVerifyPhone'] === true
        ? ['autoVerifyPhone has no equal. No telephone number is proven.']
        : []),
    ]
    if (problems.length > 0) throw new HookError('beforeSignUp', problems)
    // The person proved their address before, so autoConfirmUser changes nothing.
    return { decision: 'accept' }
  },
  // Cognito reads nothing here, either: a handler refuses by an error.
  afterSignIn: () => ({ decision: 'continue' }),
  beforeToken: (response, _, options) => {
    const problems = findTokenProblems(response, options)
    if (problems.length > 0) throw new HookError('beforeToken', problems)
    const details = readObject(response['claimsAndScopeOverrideDetails'])
    const claims = tokenKinds.map((kind) => readObject(readObject(details[kind])['claimsToAddOrOverride']))
    return { claims: Object.assign({}, ...claims) }
  },
}

const tokenKinds = ['idTokenGeneration', 'accessTokenGeneration'] as const

const readObject = (value: unknown): Readonly<Record<string, unknown>> => (isPlainObject(value) ? value : {})

/** Whether there is something in a list or an object. */
const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)

const findTokenProblems = (
  { claimsOverrideDetails, claimsAndScopeOverrideDetails }: Readonly<Record<string, unknown>>,
  { sharesClaims }: ResponseOptions,
): readonly string[] => {
  const details = readObject(claimsAndScopeOverrideDetails)
  const kinds = tokenKinds.map((kind) => ({ kind, fields: readObject(details[kind]) }))
  const groups = readObject(details['groupOverrideDetails'])
  return [
    ...(isFilled(claimsOverrideDetails)
      ? ['claimsOverrideDetails is of the event V1_0. Answer with claimsAndScopeOverrideDetails.']
      : []),
    ...kinds.flatMap(({ kind, fields }) => [
      ...(isFilled(fields['claimsToSuppress'])
        ? [`${kind}.claimsToSuppress has no equal. Give the client fewer scopes.`]
        : []),
      ...['scopesToAdd', 'scopesToSuppress']
        .filter((name) => isFilled(fields[name]))
        .map((name) => `${kind}.${name} has no equal. Scopes follow from the client and the API.`),
    ]),
    ...Object.entries(groups)
      .filter(([, value]) => isFilled(value))
      .map(
        ([name]) =>
          `groupOverrideDetails.${name} has no equal. Groups are those of the service. Add a claim.`,
      ),
    ...(sharesClaims
      ? []
      : findSingleClaims(kinds.map(({ fields }) => readObject(fields['claimsToAddOrOverride'])))),
    ...findDifferentClaims(kinds.map(({ fields }) => readObject(fields['claimsToAddOrOverride']))),
  ]
}

type Claims = Readonly<Record<string, unknown>>

/** A claim of a hook stands in both kinds of tokens, so one that was for one kind alone would reach more readers than before. */
const findSingleClaims = ([inId = {}, inAccess = {}]: readonly Claims[]): readonly string[] =>
  [...Object.keys(inId), ...Object.keys(inAccess)]
    .filter((name) => !(Object.hasOwn(inId, name) && Object.hasOwn(inAccess, name)))
    .map(
      (name) =>
        `The claim ${name} is for ${Object.hasOwn(inId, name) ? 'ID' : 'access'} tokens alone. Here, it stands in both. Set sharesClaims if that is right.`,
    )

const findDifferentClaims = ([inId = {}, inAccess = {}]: readonly Claims[]): readonly string[] =>
  Object.keys(inId)
    .filter(
      (name) =>
        Object.hasOwn(inAccess, name) && JSON.stringify(inId[name]) !== JSON.stringify(inAccess[name]),
    )
    .map((name) => `The claim ${name} has two values. Here, ID tokens and access tokens have the same.`)
