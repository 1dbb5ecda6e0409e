import { Token } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { findHookClaimsProblem } from '../../lib/features/oauth/hook-claim-names.ts'
import type { FunctionName } from '../../lib/kernel/contract/group.ts'
import { hookGroupsMax } from '../../lib/kernel/limits/hook-limits.ts'
import { userAttributesMax } from '../../lib/kernel/limits/limits.ts'
import { type HookName, hookNames, readHooks } from '../../lib/kernel/settings/hooks.ts'
import { internalSettings } from '../../lib/kernel/settings/internal-settings.ts'
import type { HooksProps } from '../../lib/kernel/settings/object-settings.ts'
import { variableOf } from '../../lib/kernel/settings/setting.ts'
import type { FunctionProps } from './functions.ts'

/** The functions that call each hook. */
const callers: Readonly<Record<HookName, readonly FunctionName[]>> = {
  beforeSignUp: ['connection-flow', 'invitations'],
  afterSignIn: ['connection-flow', 'invitations', 'passkeys', 'sessions'],
  beforeToken: ['oidc'],
}

interface HookGrant {
  readonly name: HookName
  readonly arn: string
}

/** The hooks that are on, with what may be invoked for them. */
export const listHookGrants = (hooks: HooksProps = {}): readonly HookGrant[] =>
  hookNames.flatMap((name) => {
    const { function: arn, enabled = true } = hooks[name] ?? {}
    return arn !== undefined && enabled ? [{ name, arn }] : []
  })

/** What a function needs to call its hooks. Nothing without one, so that it does not even look for them. */
export const callHooks = <Given extends Pick<FunctionProps, 'environment' | 'statements'>>(
  props: Given,
  caller: FunctionName,
  hooks: HooksProps | undefined,
): Given => {
  const own = listHookGrants(hooks).filter(({ name }) => callers[name].includes(caller))
  if (own.length === 0) return props
  const given = Object.fromEntries(own.map(({ name }) => [name, hooks?.[name]]))
  return {
    ...props,
    environment: {
      ...props.environment,
      [variableOf('hooks', internalSettings.hooks)]: JSON.stringify(given),
    },
    statements: [
      ...(props.statements ?? []),
      ...own.map(({ arn }) => new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [arn] })),
    ],
  }
}

/** Lists the problems that the fields of hooks alone do not show. An ARN can be unknown before the deployment. */
export const findHookProblems = (hooks: HooksProps = {}): readonly string[] =>
  hookNames.flatMap((name) => {
    const { function: arn } = hooks[name] ?? {}
    if (arn === undefined) return []
    const known = Token.isUnresolved(arn) ? 'arn:aws:lambda:eu-west-1:000000000000:function:unknown' : arn
    const read = readHooks(JSON.stringify({ [name]: { ...hooks[name], function: known } }))
    if (typeof read === 'string') return [`hooks.${read}.`]
    const { target, claims = [], groups = [], attributes = [] } = read[name] ?? {}
    const problem = findHookClaimsProblem(claims)
    return [
      ...(target?.kind === 'local'
        ? [`hooks.${name}.function must be the ARN of a Lambda function. A URL works in local mode only.`]
        : []),
      ...(problem ? [`hooks.${name}.claims ${problem}.`] : []),
      ...(groups.length > hookGroupsMax
        ? [`hooks.${name}.groups must have at most ${hookGroupsMax} entries.`]
        : []),
      ...(attributes.length > userAttributesMax
        ? [`hooks.${name}.attributes must have at most ${userAttributesMax} entries.`]
        : []),
    ]
  })
