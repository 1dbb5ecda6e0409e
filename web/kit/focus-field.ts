/** Moves the focus to the field with this name. */
export const focusField = (name: string): void => {
  document.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
}
