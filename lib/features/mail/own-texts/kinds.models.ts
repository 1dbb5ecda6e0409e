interface Kind {
  /** What its emails say about this case, apart from the product and the host of the service. */
  readonly variables: readonly string[]
  /** Those that a text must have, because readers judge the email by them. */
  readonly required: readonly string[]
  /** What the email is sent for: its one-time link, or its code. */
  readonly action: 'link' | 'code'
  /** Whether the subject can be changed. */
  readonly hasSubject: boolean
  /** Whose words these emails can have besides those of the service. */
  readonly owner?: 'product' | 'organization'
}

/**
 * The kinds of emails that can have own words. The code that renders a kind states its values, so a variable without a value does not
 * compile. Emails about security are not in this list: their facts are never anybody's words.
 */
const kinds = {
  password_reset: { variables: ['username'], required: [], action: 'link', hasSubject: true },
  email_confirmation: { variables: ['username'], required: ['username'], action: 'link', hasSubject: true },
  invitation: { variables: ['username', 'inviter'], required: [], action: 'link', hasSubject: true },
  organization_invitation: {
    variables: ['organization', 'inviter'],
    required: ['organization', 'inviter'],
    action: 'link',
    hasSubject: true,
    owner: 'organization',
  },
  sign_up: { variables: [], required: [], action: 'link', hasSubject: true },
  sign_up_known: { variables: [], required: [], action: 'link', hasSubject: true },
  sign_in_code: { variables: ['username'], required: ['username'], action: 'code', hasSubject: true },
  organization_join_code: {
    variables: ['username', 'organization'],
    required: ['organization'],
    action: 'code',
    hasSubject: true,
  },
  // Its subject begins with the name of the sender, so that no user can imitate an email of the product.
  access_link: {
    variables: ['sender', 'account'],
    required: ['account'],
    action: 'link',
    hasSubject: false,
    owner: 'product',
  },
} as const satisfies Readonly<Record<string, Kind>>

export type EmailTextKind = keyof typeof kinds
export type VariableOf<Name extends EmailTextKind> = (typeof kinds)[Name]['variables'][number]

/** The variables that every kind has. */
export const commonVariables = ['product', 'host'] as const

export const emailTextKinds = Object.keys(kinds) as [EmailTextKind, ...EmailTextKind[]]

export const isEmailTextKind = (name: string): name is EmailTextKind => Object.hasOwn(kinds, name)

export const getKind = (name: EmailTextKind): Kind => kinds[name]

/** The kinds that the service, a product or an organization can have words for. */
export const listKindsOf = (owner: 'service' | 'product' | 'organization'): readonly EmailTextKind[] =>
  emailTextKinds.filter((name) => owner === 'service' || getKind(name).owner === owner)

/** All variables of a kind. */
export const listVariables = (name: EmailTextKind): readonly string[] => [
  ...commonVariables,
  ...getKind(name).variables,
]

export interface EmailWords {
  /** Null for kinds whose subject cannot be changed. */
  readonly subject: string | null
  readonly body: string
  /** Whether members of an organization wrote them, who need a proven domain, also when an email is sent. Missing if not. */
  readonly needsDomain?: boolean
}
