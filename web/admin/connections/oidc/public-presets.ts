import type { OIDCConnectionCreate } from '../../../../lib/client/generated/models.ts'
import {
  declaredProviders,
  type PublicProvider,
  publicProviders,
} from '../../../../lib/features/connections/public-providers.models.ts'
import { messagesOf } from '../../../kit/messages.ts'

const t = messagesOf('oidcConnections')

/** Says which provider everybody can have an account at. */
export const labelProvider = (provider: PublicProvider): string => {
  const { name } = declaredProviders[provider]
  return name === null ? t('otherForAll') : t('nameForAll', { name })
}

/** What the form fills in for a provider that everybody can have an account at. */
const fillIn = (provider: PublicProvider): Partial<OIDCConnectionCreate> => {
  const { name, issuers, authMethods } = declaredProviders[provider]
  return {
    ...(name === null ? {} : { name }),
    ...(typeof issuers === 'string' ? {} : { issuer: issuers[0] }),
    ...(authMethods.length === 1 ? { token_endpoint_auth_method: authMethods[0] } : {}),
  }
}

/** The public providers as choices of a form, each with what the form fills in. */
export const publicChoices = (): readonly {
  readonly label: string
  readonly fields: Partial<OIDCConnectionCreate>
}[] =>
  publicProviders.map((provider) => ({
    label: labelProvider(provider),
    fields: { public_provider: provider, first_sign_in: 'ask', ...fillIn(provider) },
  }))
