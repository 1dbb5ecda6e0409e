/** Who gets the API reference: no one, readers, or readers who can also send calls from the page. */
export const apiReferenceModes = ['off', 'read', 'try'] as const
export type ApiReferenceMode = (typeof apiReferenceModes)[number]
