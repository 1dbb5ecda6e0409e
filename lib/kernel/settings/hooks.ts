import { type FunctionTarget, readFunctionTarget } from './function-target.ts'

/** The functions of a product that the service asks on its way, in the order in which a person meets them. */
export const hookNames = ['beforeSignUp', 'afterSignIn', 'beforeToken'] as const
export type HookName = (typeof hookNames)[number]

/** What a hook may take, in milliseconds. */
export const hookTimeoutMs = { min: 100, max: 5000 } as const
export const hookTimeoutDefaults = { beforeSignUp: 3000, afterSignIn: 3000, beforeToken: 1500 } as const

export const hookFailureRules = ['continue', 'refuse'] as const

/** A hook that is called. */
export interface Hook {
  readonly target: FunctionTarget
  readonly timeoutMs: number
  /** What happens without an answer. */
  readonly onFailure: (typeof hookFailureRules)[number]
  /** The claims that `beforeToken` may add. */
  readonly claims: readonly string[]
  /** The names of the groups that `beforeSignUp` may give. */
  readonly groups: readonly string[]
  /** The names of the attributes that `beforeSignUp` may set. */
  readonly attributes: readonly string[]
}

export type Hooks = Readonly<Partial<Record<HookName, Hook>>>

/** A hook as the stack and local mode pass it. They check all of it but the function, whose name can be unknown before the deployment. */
interface GivenHook extends Partial<Omit<Hook, 'target'>> {
  readonly function: string
}
export type GivenHooks = Readonly<Partial<Record<HookName, GivenHook>>>

/** Reads the hooks that are on. Returns an error text, to be put after the name of the setting, if they are invalid. */
export const readHooks = (text: string): Hooks | string => {
  const given = parse(text)
  if (given === undefined) return 'must be a JSON object'
  const hooks = new Map<HookName, Hook>()
  for (const name of hookNames) {
    const hook = given[name]
    if (!hook) continue
    const target = readFunctionTarget(hook.function)
    if (typeof target === 'string') return `${name}.function ${target}`
    hooks.set(name, { ...getDefaults(name), ...hook, target })
  }
  return Object.fromEntries(hooks)
}

const getDefaults = (name: HookName) => ({
  timeoutMs: hookTimeoutDefaults[name],
  onFailure: name === 'beforeToken' ? ('continue' as const) : ('refuse' as const),
  ...{ claims: [], groups: [], attributes: [] },
})

const parse = (text: string): GivenHooks | undefined => {
  try {
    const given = JSON.parse(text)
    return typeof given === 'object' && given !== null ? given : undefined
  } catch {
    return undefined
  }
}
