import type { LoadedSection } from './kit/section.ts'

type Label =
  | 'users'
  | 'groups'
  | 'userTemplates'
  | 'apiTokens'
  | 'accessLinks'
  | 'blocks'
  | 'samlProviders'
  | 'branding'
  | 'apps'
  | 'policies'
  | 'health'
  | 'auditLog'

interface Section {
  /** The first part of the address: `#/users`. */
  readonly name: string
  /** The message of the console with its label in the menu. */
  readonly label: Label
  /** The heading in the menu that it belongs to. */
  readonly area: 'people' | 'access' | 'service'
  /** The permission that shows it. The service decides again about each call. */
  readonly permission: string
  readonly import: () => Promise<{ readonly section: LoadedSection }>
}

/*
 * How to add a section:
 * 1. A folder next to this file with `section.tsx`, which exports `section: LoadedSection`, and with its own `messages.ts` and
 *    `messages/`. It becomes a chunk that is loaded on demand.
 * 2. An entry below, and its label in kit/messages.
 * 3. `Show` returns a `SectionPage` with the heading. Lists use `useList`, `DataList`, `SearchField` and `FilterChips`, and keep
 *    their filters in the address (`useRoute`, `replaceQuery`). Details use `useLoaded`, `ShowLoaded`, `Panel`, and for forms
 *    `useDraft` with `EditForm`. What cannot be undone asks with `ConfirmDialog`. `showToast` says what worked.
 * 4. All calls use `client` of kit/client.ts, which notices the end of the session. `useCurrentUser().can` hides what the
 *    service would refuse.
 */
export const sections: readonly Section[] = [
  {
    name: 'users',
    label: 'users',
    area: 'people',
    permission: 'users:view',
    import: () => import('./users/section.tsx'),
  },
  {
    name: 'groups',
    label: 'groups',
    area: 'people',
    permission: 'users:view',
    import: () => import('./groups/section.tsx'),
  },
  {
    name: 'user-templates',
    label: 'userTemplates',
    area: 'people',
    permission: 'users:view',
    import: () => import('./user-templates/section.tsx'),
  },
  {
    name: 'api-tokens',
    label: 'apiTokens',
    area: 'access',
    permission: 'system:admin-access',
    import: () => import('./api-tokens/section.tsx'),
  },
  {
    name: 'access-links',
    label: 'accessLinks',
    area: 'access',
    permission: 'system:admin-access',
    import: () => import('./access-links/section.tsx'),
  },
  {
    name: 'blocks',
    label: 'blocks',
    area: 'access',
    permission: 'users:manage',
    import: () => import('./blocks/section.tsx'),
  },
  {
    name: 'saml-providers',
    label: 'samlProviders',
    area: 'service',
    permission: 'system:admin-access',
    import: () => import('./saml-providers/section.tsx'),
  },
  {
    name: 'branding',
    label: 'branding',
    area: 'service',
    permission: 'system:admin-access',
    import: () => import('./branding/section.tsx'),
  },
  {
    name: 'apps',
    label: 'apps',
    area: 'service',
    permission: 'system:admin-access',
    import: () => import('./apps/section.tsx'),
  },
  {
    name: 'policies',
    label: 'policies',
    area: 'service',
    permission: 'system:admin-access',
    import: () => import('./policies/section.tsx'),
  },
  {
    name: 'health',
    label: 'health',
    area: 'service',
    permission: 'system:admin-access',
    import: () => import('./health/section.tsx'),
  },
  {
    name: 'audit-events',
    label: 'auditLog',
    area: 'service',
    permission: 'system:admin-access',
    import: () => import('./audit/section.tsx'),
  },
]
