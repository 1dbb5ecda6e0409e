import type { OIDCConnectionCreate } from '../../../../lib/client/generated/models.ts'
import { messagesOf } from '../../../kit/messages.ts'

type PublicProvider = NonNullable<OIDCConnectionCreate['public_provider']>

/** What the form fills in for a provider that everybody can have an account at. */
type PublicPreset = Pick<OIDCConnectionCreate, 'name' | 'issuer' | 'token_endpoint_auth_method'>

const t = messagesOf('oidcConnections')

const presets: Readonly<Record<Exclude<PublicProvider, 'oidc'>, PublicPreset>> = {
  google: { name: 'Google', issuer: 'https://accounts.google.com' },
  microsoft: { name: 'Microsoft', issuer: 'https://login.microsoftonline.com/common/v2.0' },
  apple: {
    name: 'Apple',
    issuer: 'https://appleid.apple.com',
    token_endpoint_auth_method: 'client_secret_post',
  },
  github: {
    name: 'GitHub',
    issuer: 'https://github.com/login/oauth',
    token_endpoint_auth_method: 'client_secret_post',
  },
}

const publicProviders = [...(Object.keys(presets) as (keyof typeof presets)[]), 'oidc'] as const

/** Says which provider everybody can have an account at. */
export const labelProvider = (provider: PublicProvider): string =>
  provider === 'oidc' ? t('otherForAll') : t('nameForAll', { name: presets[provider].name })

/** The public providers as choices of a form, each with what the form fills in. */
export const publicChoices = (): readonly {
  readonly label: string
  readonly fields: Partial<OIDCConnectionCreate>
}[] =>
  publicProviders.map((provider) => ({
    label: labelProvider(provider),
    fields: {
      public_provider: provider,
      first_sign_in: 'ask',
      ...(provider === 'oidc' ? {} : presets[provider]),
    },
  }))
