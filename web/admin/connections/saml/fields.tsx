import type { SAMLProviderPartialUpdate } from '../../../../lib/client/generated/models.ts'
import { messagesOf } from '../../../kit/messages.ts'
import { BodyChoice, type BodyForm, BodyOptionalText, BodyText } from '../../kit/body-fields.tsx'

const t = messagesOf('samlConnections')

interface SamlFieldsProps {
  readonly form: BodyForm<SAMLProviderPartialUpdate>
}

const nameIdFormats = [
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:WindowsDomainQualifiedName',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:X509SubjectName',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:kerberos',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:entity',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:encrypted',
] as const

/** What the metadata of a provider contains. */
export const MetadataFields = ({ form }: SamlFieldsProps) => (
  <>
    <BodyText form={form} name="entity_id" label={t('entityId')} maxLength={255} writing="code" />
    <BodyText form={form} name="sso_url" label={t('ssoUrl')} maxLength={255} writing="code" />
    <BodyOptionalText form={form} name="slo_url" label={t('sloUrl')} maxLength={255} writing="code" />
    <BodyText form={form} name="certificate" label={t('certificate')} rows={6} isExact />
  </>
)

/** How a provider names its users. */
export const NameFields = ({ form }: SamlFieldsProps) => (
  <>
    <BodyChoice
      form={form}
      name="nameid_format"
      label={t('nameIdFormat')}
      options={nameIdFormats.map((format) => ({ value: format, label: format.split(':').at(-1) ?? format }))}
    />
    <BodyOptionalText
      form={form}
      name="nameid_attribute"
      label={t('nameIdAttribute')}
      hint={t('nameIdAttributeHint')}
      writing="code"
    />
  </>
)
