export const shownDescription =
  'Names what the page showed. If that has changed since, nothing is decided, and the page comes again.'

export const exampleDecisionName = 'Zr0nM4vGq2b1Kc7T5aLxW9pYeHsUoDfJ3iRt6Bv8EXk'
