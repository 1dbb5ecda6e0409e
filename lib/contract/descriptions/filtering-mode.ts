/** The parameter of the lists that can be searched. */
export const filteringMode = {
  description:
    'How `filter` is compared. `contains` or `fuzzy`: each of its words occurs in one of the texts. `startswith`: a text begins with it. `exact`: a text is equal to it.',
  example: 'contains',
} as const
