import { tagTexts } from '../contract/descriptions/tag-texts.ts'
import type { Group } from '../contract/group.ts'
import type { Operation } from '../contract/operation.ts'

/** Describes the groups of operations, in the order of their names. `tagGroups` has the order for readers. */
export const describeTags = (operations: readonly Operation[]) =>
  [...new Set(operations.map(({ group }) => group))].sort().map((name) => {
    const { displayName, description } = tagTexts[name]
    return { name, description, 'x-displayName': displayName }
  })

interface TagGroup {
  readonly name: string
  readonly tags: readonly Group[]
}

/** The groups of operations by topic, for tools that know `x-tagGroups`. */
export const tagGroups: readonly TagGroup[] = [
  { name: 'Signing in', tags: ['sessions', 'tickets', 'oidc', 'oidc-clients', 'passkeys', 'passwords'] },
  { name: 'Accounts', tags: ['users', 'invitations', 'groups', 'user-templates', 'impersonation'] },
  { name: 'Tokens and links', tags: ['access-tokens', 'api-tokens', 'leaks'] },
  { name: 'Identity providers', tags: ['saml-providers', 'saml-flow'] },
  { name: 'The service', tags: ['branding', 'audit', 'health', 'pages'] },
]
