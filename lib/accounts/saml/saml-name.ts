import type { Assertion } from '../../saml/assertion/read-assertion.ts'
import { getServiceUrls } from '../../saml/service-provider.ts'
import type { Services } from '../../services.ts'
import type { SamlName } from '../../store/saml/saml-accounts.ts'
import { readProfile } from './profile.ts'
import type { CompanyConnection } from './saml-context.ts'

/**
 * The name that distinguishes the users of a provider. Qualifiers are part of it, unless they name the provider or this
 * service. If the provider is configured with an attribute that identifies users, its value replaces the name ID.
 */
export const toSamlName = (
  { config }: Services,
  { id, entityId }: CompanyConnection,
  { subject, identifier }: Assertion,
): SamlName => {
  if (identifier) return { providerId: id, ...identifier }
  const implied = [entityId, getServiceUrls(config.publicUrl, id).metadata]
  const qualifiers = [subject.nameQualifier ?? '', subject.spNameQualifier ?? ''].map((qualifier) =>
    implied.includes(qualifier) ? '' : qualifier,
  )
  return {
    providerId: id,
    nameId: subject.nameId,
    qualifiers: qualifiers.every((qualifier) => qualifier === '') ? [] : qualifiers,
  }
}

/** What people recognize their account by: names in messages are often random. */
export const toShownName = (connection: CompanyConnection, assertion: Assertion): string => {
  const { email, username } = readProfile(assertion, connection)
  const { identifier, subject } = assertion
  return (
    email ??
    username ??
    (identifier && 'value' in identifier ? identifier.value : subject.nameId)
  ).slice(0, 255)
}
