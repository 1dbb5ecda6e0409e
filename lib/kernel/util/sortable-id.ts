/** Returns an ID in a form that sorts like the number. */
export const sortableId = (id: number): string => String(id).padStart(10, '0')
