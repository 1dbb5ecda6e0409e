import type { ComponentType } from 'preact'
import type { ConsoleSection } from '../../lib/features/pages/addresses.models.ts'
import type { IconName } from './kit/icon.tsx'
import type { SectionProps } from './kit/section-page.tsx'

interface Section<Label extends string = string> {
  /** The first part of the address: `#/users`. */
  readonly name: string
  /** The message of the part `console` that names it, in the menu and in its heading. */
  readonly label: Label
  /** The picture before its label. */
  readonly icon: IconName
  /** The heading in the menu that it belongs to. Sections without one are above all headings. */
  readonly area?: 'people' | 'access' | 'service'
  /** The permission that shows it. The service decides again about each call. */
  readonly permission: string
  readonly load: () => Promise<ComponentType<SectionProps>>
}

/*
 * `docs/contributing.md` shows how to add a section. Lists use `useList`, `DataList`, `SearchField` and `FilterChips`, and keep
 * their filters in the address (`useRoute`, `replaceQuery`). Details use `useLoaded`, `ShowLoaded`, `Panel`, and for forms
 * `useDraft` with `EditForm`. What cannot be undone asks with `ConfirmDialog`. `showToast` says what worked. All calls use
 * `client` of `session-kit/client.ts`, which notices the end of the session. `useCurrentUser().can` hides what the service would refuse.
 */
const list = [
  {
    name: 'overview',
    label: 'overview',
    icon: 'overview',
    permission: 'system:admin-access',
    load: async () => (await import('./overview/section.tsx')).Section,
  },
  {
    name: 'activity',
    label: 'activity',
    icon: 'chart',
    permission: 'system:admin-access',
    load: async () => (await import('./activity/section.tsx')).Section,
  },
  {
    name: 'users',
    label: 'users',
    icon: 'person',
    area: 'people',
    permission: 'users:view',
    load: async () => (await import('./users/section.tsx')).Section,
  },
  {
    name: 'groups',
    label: 'groups',
    icon: 'people',
    area: 'people',
    permission: 'users:view',
    load: async () => (await import('./groups/section.tsx')).Section,
  },
  {
    name: 'organizations',
    label: 'organizations',
    icon: 'case',
    area: 'people',
    permission: 'organizations:view',
    load: async () => (await import('./organizations/section.tsx')).Section,
  },
  {
    name: 'user-templates',
    label: 'userTemplates',
    icon: 'copy',
    area: 'people',
    permission: 'users:view',
    load: async () => (await import('./user-templates/section.tsx')).Section,
  },
  {
    name: 'user-attributes',
    label: 'userAttributes',
    icon: 'list',
    area: 'people',
    permission: 'system:admin-access',
    load: async () => (await import('./user-attributes/section.tsx')).Section,
  },
  {
    name: 'sign-up',
    label: 'signUp',
    icon: 'door',
    area: 'people',
    permission: 'users:manage',
    load: async () => (await import('./sign-up/section.tsx')).Section,
  },
  {
    name: 'api-tokens',
    label: 'apiTokens',
    icon: 'key',
    area: 'access',
    permission: 'system:admin-access',
    load: async () => (await import('./api-tokens/section.tsx')).Section,
  },
  {
    name: 'access-links',
    label: 'accessLinks',
    icon: 'link',
    area: 'access',
    permission: 'system:admin-access',
    load: async () => (await import('./access-links/section.tsx')).Section,
  },
  {
    name: 'blocks',
    label: 'blocks',
    icon: 'barred',
    area: 'access',
    permission: 'users:manage',
    load: async () => (await import('./blocks/section.tsx')).Section,
  },
  {
    name: 'connections',
    label: 'connections',
    icon: 'building',
    area: 'service',
    permission: 'system:admin-access',
    load: async () => (await import('./connections/section.tsx')).Section,
  },
  {
    name: 'branding',
    label: 'branding',
    icon: 'brush',
    area: 'service',
    permission: 'system:admin-access',
    load: async () => (await import('./branding/section.tsx')).Section,
  },
  {
    name: 'apps',
    label: 'apps',
    icon: 'app',
    area: 'service',
    permission: 'system:admin-access',
    load: async () => (await import('./apps/section.tsx')).Section,
  },
  {
    name: 'apis',
    label: 'apis',
    icon: 'code',
    area: 'service',
    permission: 'system:admin-access',
    load: async () => (await import('./apis/section.tsx')).Section,
  },
  {
    name: 'policies',
    label: 'policies',
    icon: 'shield',
    area: 'service',
    permission: 'system:admin-access',
    load: async () => (await import('./policies/section.tsx')).Section,
  },
  {
    name: 'hooks',
    label: 'hooks',
    icon: 'hook',
    area: 'service',
    permission: 'system:admin-access',
    load: async () => (await import('./hooks/section.tsx')).Section,
  },
  {
    name: 'health',
    label: 'health',
    icon: 'pulse',
    area: 'service',
    permission: 'system:admin-access',
    load: async () => (await import('./health/section.tsx')).Section,
  },
  {
    name: 'audit-events',
    label: 'auditLog',
    icon: 'log',
    area: 'service',
    permission: 'system:admin-access',
    load: async () => (await import('./audit/section.tsx')).Section,
  },
] as const satisfies readonly Section[]

/** A section that the server links to and the console lacks does not compile. */
type Listed = ConsoleSection extends (typeof list)[number]['name'] ? typeof list : never

export const sections: readonly Section<Listed[number]['label']>[] = list satisfies Listed
