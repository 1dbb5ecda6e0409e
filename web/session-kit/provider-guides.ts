/** A value of this service that an identity provider needs. */
export type ServiceValue = 'metadata' | 'entityId' | 'assertionUrl' | 'logoutUrl'

/** A field of an identity provider, by the name that it has there. */
export interface GuideField {
  readonly field: string
  /** The value of this service to enter, or the text to enter or choose. */
  readonly enter: { readonly value: ServiceValue } | { readonly text: string }
}

/** What to enter where at an identity provider. Names of menus and fields are as English administrators see them. */
export interface ProviderGuide {
  readonly name: string
  /** Where the form is. */
  readonly form: string
  readonly fields: readonly GuideField[]
  /** Where the metadata of the provider is. */
  readonly metadata: string
}

const value = (field: string, name: ServiceValue): GuideField => ({ field, enter: { value: name } })
const text = (field: string, entered: string): GuideField => ({ field, enter: { text: entered } })

/** The guides of `docs/identity-providers.md` in the form that pages show. A test compares them. */
export const providerGuides: readonly ProviderGuide[] = [
  {
    name: 'Okta',
    form: 'Applications › Create App Integration › SAML 2.0',
    fields: [
      value('Single sign-on URL', 'assertionUrl'),
      value('Audience URI (SP Entity ID)', 'entityId'),
      text('Name ID format', 'Persistent'),
      text('Attribute Statements', 'email = user.email, displayName = user.displayName'),
    ],
    metadata: 'Sign On › Metadata URL',
  },
  {
    name: 'Microsoft Entra ID',
    form: 'Enterprise applications › New application › Create your own › Single sign-on › SAML',
    fields: [
      value('Identifier (Entity ID)', 'entityId'),
      value('Reply URL (Assertion Consumer Service URL)', 'assertionUrl'),
      value('Logout URL', 'logoutUrl'),
      text('Unique User Identifier (Name ID)', 'user.objectid'),
    ],
    metadata: 'App Federation Metadata Url',
  },
  {
    name: 'Google Workspace',
    form: 'Apps › Web and mobile apps › Add app › Add custom SAML app',
    fields: [
      value('ACS URL', 'assertionUrl'),
      value('Entity ID', 'entityId'),
      text('Name ID format', 'PERSISTENT'),
      text('Attributes', 'Primary email → email, First name → givenName, Last name → surname'),
    ],
    metadata: 'Download the metadata',
  },
  {
    name: 'Keycloak',
    form: 'Clients › Import client',
    fields: [
      value('Resource file', 'metadata'),
      text('Name ID format', 'persistent'),
      text('Client scopes › dedicated › Add mapper', 'X500 email, X500 givenName, X500 surname'),
    ],
    metadata: 'https://keycloak.example.com/realms/example/protocol/saml/descriptor',
  },
  {
    name: 'Shibboleth IdP',
    form: 'conf/metadata-providers.xml',
    fields: [
      value('FileBackedHTTPMetadataProvider', 'metadata'),
      text('conf/attribute-filter.xml', 'mail, displayName'),
      text('conf/saml-nameid.properties', 'idp.persistentId.sourceAttribute'),
    ],
    metadata: 'https://idp.example.com/idp/shibboleth',
  },
  {
    name: 'OneLogin',
    form: 'Applications › Add App › SAML Custom Connector (Advanced)',
    fields: [
      value('Audience (EntityID)', 'entityId'),
      value('ACS (Consumer) URL', 'assertionUrl'),
      value('Single Logout URL', 'logoutUrl'),
      text('SAML nameID format', 'Persistent'),
      text('SAML signature element', 'Both'),
    ],
    metadata: 'More Actions › SAML Metadata',
  },
  {
    name: 'Ping',
    form: 'Applications › + › SAML Application › Import From URL',
    fields: [
      value('Import URL', 'metadata'),
      text('Sign', 'Assertion & Response'),
      text('Subject NameID format', 'persistent'),
    ],
    metadata: 'Configuration › IDP Metadata URL',
  },
  {
    name: 'AD FS',
    form: 'Relying Party Trusts › Add › Claims aware › Import data published online',
    fields: [
      value('Federation metadata address', 'metadata'),
      text('Send LDAP attributes as claims', 'E-Mail-Addresses → E-Mail Address, Display-Name → Name'),
      text('Transform an incoming claim', 'UPN → Name ID, Persistent Identifier'),
    ],
    metadata: 'https://adfs.example.com/FederationMetadata/2007-06/FederationMetadata.xml',
  },
]
