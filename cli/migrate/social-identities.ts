import { getPresetAccounts, type Preset } from '../../lib/features/connections/public-providers.models.ts'
import type { UserLine } from '../../lib/features/user-files/user-line.ts'

/*
 * The accounts at Google and other providers that signed people in at another system. Latchkey finds a person by the ID that the provider
 * sends to each service. An ID that the provider made for the former service alone cannot be moved.
 */

interface Provider {
  readonly name: string
  /** What other systems call it. */
  readonly aliases: readonly string[]
  /** The preset that signs its people in here. */
  readonly preset?: Preset
  /** Completes "Sign-in with Microsoft cannot be moved: …" for an ID that the preset does not know. */
  readonly reason: string
}

const noPreset = 'Latchkey has no preset for it'
const noId = 'the export does not have the ID that it sends'

const providers: readonly Provider[] = [
  {
    name: 'Google',
    aliases: ['google-oauth2', 'Google', 'google.com', 'oauth_google', 'google'],
    preset: 'google',
    reason: noId,
  },
  {
    name: 'GitHub',
    aliases: ['github', 'github.com', 'oauth_github'],
    preset: 'github',
    reason: noId,
  },
  {
    name: 'Microsoft',
    aliases: ['windowslive', 'microsoft.com', 'oauth_microsoft', 'microsoft'],
    preset: 'microsoft',
    reason: 'its IDs are valid for the former registration alone',
  },
  {
    name: 'Apple',
    aliases: ['apple', 'SignInWithApple', 'apple.com', 'oauth_apple'],
    reason: 'its IDs are valid for the former developer team alone',
  },
  { name: 'Facebook', aliases: ['facebook', 'Facebook', 'facebook.com', 'oauth_facebook'], reason: noPreset },
  { name: 'X', aliases: ['twitter', 'twitter.com', 'oauth_twitter', 'oauth_x'], reason: noPreset },
]

const byAlias: ReadonlyMap<string, Provider> = new Map(
  providers.flatMap((provider) => provider.aliases.map((alias) => [alias, provider] as const)),
)

/** An account at a provider, as an export names both. */
export interface SocialIdentity {
  readonly provider: string
  readonly subject: string | number | null | undefined
  /** What an export calls a provider that has no name of its own there. */
  readonly shownAs?: string | null | undefined
}

interface ReadIdentities {
  readonly fields: Pick<UserLine, 'public_identities'>
  /** What cannot be moved, with the reason. */
  readonly left: readonly string[]
}

/** Divides the identities of a user into those that sign them in here, and those that cannot. */
export const readIdentities = (identities: readonly SocialIdentity[]): ReadIdentities => {
  const moved = new Map<string, { readonly provider: Preset; readonly subject: string }>()
  const left: string[] = []
  for (const { provider: alias, subject: given, shownAs } of identities) {
    const { name, preset, reason } = byAlias.get(alias) ?? { name: shownAs || alias, reason: noPreset }
    // A number that JSON did not keep exactly belongs to somebody else.
    const subject = typeof given === 'number' && !Number.isSafeInteger(given) ? '' : String(given ?? '')
    if (preset && getPresetAccounts(preset).subject.test(subject))
      moved.set(`${preset} ${subject}`, { provider: preset, subject })
    else left.push(`sign-in with ${name} (${reason})`)
  }
  return { fields: moved.size > 0 ? { public_identities: [...moved.values()] } : {}, left }
}
