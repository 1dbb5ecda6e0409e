/** The filters of the list of users as texts of the address. Empty ones select everyone. */
export const filterNames = [
  ...(['filter', 'state', 'email', 'group', 'attribute', 'factor', 'kind', 'unseen'] as const),
  ...(['connection', 'permission', 'created'] as const),
]
export type UserFilters = Readonly<Record<(typeof filterNames)[number], string>>

/** What fields show, and how they change it. */
export interface FilterProps {
  readonly filters: UserFilters
  readonly onChange: (changes: Partial<UserFilters>) => void
}
