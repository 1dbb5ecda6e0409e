import type { Config } from '../../../kernel/settings/config.ts'
import { type LackingSignIn, listSignInHints } from '../../organizations/sign-in-rules.ts'
import { isClassEnough } from '../../sign-in/authentication-class.ts'
import { buildInteractionPath, providerPaths } from './provider-paths.ts'

interface SignInOptions {
  /** What the client asked for. */
  readonly params: Readonly<Record<string, unknown>>
  /**
   * What the page shows to a user who is signed in already: its form, or a choice. Without it, the page returns at once, unless the
   * client asked for a choice.
   */
  readonly prompt?: 'login' | 'select_account' | undefined
  /** What the organization of the authorization requires beyond the present sign-in. */
  readonly lacking?: LackingSignIn | undefined
  /** Whether a second factor is all that the present sign-in lacks. */
  readonly lacksStrength?: boolean | undefined
  /** Whether a new proof has to be one of this service, because the provider does not say when it signed the user in. */
  readonly lacksOwnProof?: boolean | undefined
}

/** Reasons for which the user says whether to go on as who they are. */
export const reasonsForChoice = ['select_account_prompt', 'unproven_client']

/** What the sign-in page shows to a user who is signed in, by the reasons for which the library sends them there. */
export const choosePrompt = (reasons: readonly string[]): SignInOptions['prompt'] => {
  const others = reasons.filter((reason) => reason !== 'no_session')
  if (others.length === 0) return undefined
  return others.every((reason) => reasonsForChoice.includes(reason)) ? 'select_account' : 'login'
}

/** Builds the URL of the sign-in page. It returns to this interaction, and to no other one that takes its place. */
export const buildSignInUrl = (
  config: Config,
  interaction: { readonly uid: string; readonly id: string },
  options: SignInOptions,
): string => buildUrl(config, buildInteractionPath(interaction), options)

/** The longest address that the sign-in page returns to. */
const returnAddressCharacters = 1023

/** The same for an authorization that starts again after the sign-in. Undefined if its address is too long to return to. */
export const buildSignInUrlToStart = (
  config: Config,
  params: Readonly<Record<string, string>>,
): string | undefined => {
  const path = `${providerPaths.authorization}?${new URLSearchParams(params)}`
  return config.publicUrl.length + path.length > returnAddressCharacters
    ? undefined
    : buildUrl(config, path, { params })
}

/** What the sign-in page gets of the parameters of an authorization. */
const passedOn = [
  ...['login_hint', 'domain_hint', 'connection', 'ui_locales'],
  ...['organization', 'organization_id'],
]

const buildUrl = (
  { publicUrl, signInUrl }: Config,
  path: string,
  { params, prompt, lacking, lacksStrength = false, lacksOwnProof = false }: SignInOptions,
): string => {
  const url = new URL(signInUrl)
  url.searchParams.set('return_to', publicUrl + path)
  for (const name of passedOn) {
    const value = params[name]
    if (typeof value === 'string' && value !== '') url.searchParams.set(name, value)
  }
  const { acr_values: wanted, prompt: requested } = params
  const choice = typeof requested === 'string' && requested.split(' ').includes('select_account')
  const prompts = new Set([...(prompt ? [prompt] : []), ...(choice ? ['select_account'] : [])])
  if (prompts.size > 0) url.searchParams.set('prompt', [...prompts].join(' '))
  if (typeof wanted === 'string' && !isClassEnough(wanted, ['pwd'])) url.searchParams.set('factors', '2')
  for (const [name, value] of Object.entries(lacking ? listSignInHints(lacking) : {}))
    url.searchParams.set(name, value)
  if (lacksStrength) url.searchParams.set('lacks', 'factor')
  else if (lacksOwnProof && prompt === 'login') url.searchParams.set('lacks', 'proof')
  return url.href
}
